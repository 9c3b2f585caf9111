/// One event of an event stream (HTML Standard, §9.2 Server-sent events).
package struct EventStreamEvent: Hashable, Sendable {
    /// `message` where the stream names none.
    package var name: String
    package var data: String
    package var id: String?

    package init(name: String = "message", data: String, id: String? = nil) {
        self.name = name
        self.data = data
        self.id = id
    }

    /// The event as it goes over the wire. Neither name nor id may hold a line break.
    package var bytes: [UInt8] {
        var text = "event: \(name)\n"
        if let id { text += "id: \(id)\n" }
        for line in data.split(separator: "\n", omittingEmptySubsequences: false) { text += "data: \(line)\n" }
        return Array((text + "\n").utf8)
    }
}
