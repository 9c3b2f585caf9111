import Foundation
import Groundwork

/// The messages of a demo: a file in the format of `inbox send --file` that is independent of the date and the port.
/// Times may be relative (`+1m`, `+3d`), and pictures may be the demo's own (`{server}/inbox/pictures/map.svg`).
/// `readBy`, `archivedBy` and `snoozedBy` name the people who have done so with a message.
struct DemoMessages: Sendable {
    let items: [OutgoingItem]

    /// - Parameter file: The file; nil for the tool's own messages.
    /// - Throws: ``Failure`` if the file can't be read or contains an invalid message.
    init(file: String?) throws {
        let samples = [UInt8](DemoSamples.messages.utf8)
        let source = file.map { OutgoingFile(path: $0) } ?? OutgoingFile(path: "demo.json", content: samples)
        let (items, invalidItems) = try source.items(prefix: "inbox-demo")
        if let invalidItem = invalidItems.first {
            throw Failure("\(source.path), item \(invalidItem.position): \(invalidItem.problem).")
        }
        self.items = items
    }

    /// The recipients of all messages, without duplicates, in the order of the messages.
    var people: [String] {
        var people: [String] = []
        for item in items {
            let to = item.request["to"]
            for json in [to?["person"]].compactMap({ $0 }) + (to?["people"]?.arrayValue ?? []) {
                if let name = json.stringValue, !people.contains(name) { people.append(name) }
            }
        }
        return people
    }

    /// The people's actions on the sent messages, by person.
    func actions(_ state: DemoState) -> [String: [DemoAction]] {
        items.reduce(into: [:]) { actions, item in
            guard let id = state.sent[item.idempotencyKey] else { return }
            for kind in DemoAction.Kind.allCases {
                for person in item.request[kind.rawValue]?.arrayValue?.compactMap(\.stringValue) ?? [] {
                    actions[person, default: []].append(DemoAction(kind: kind, id: id))
                }
            }
        }
    }

    /// Returns the messages that aren't sent yet, with times relative to the start and with the server's picture URLs.
    func unsent(_ state: DemoState, from start: Date, server: URL) -> [OutgoingItem] {
        items.filter { state.sent[$0.idempotencyKey] == nil }.map { item in
            OutgoingItem(
                position: item.position,
                request: Self.absolute(item.request, from: start, server: server),
                idempotencyKey: item.idempotencyKey
            )
        }
    }

    /// Returns the pictures of the sent messages, with the server's URLs, by message id.
    func pictures(_ state: DemoState, server: URL) -> [String: JSON] {
        items.reduce(into: [:]) { pictures, item in
            guard let id = state.sent[item.idempotencyKey] else { return }
            pictures[id] = item.request["message"]?.objectValue.flatMap { DemoPictures.media(of: $0, on: server) }
        }
    }

    private static func absolute(_ request: JSON, from start: Date, server: URL) -> JSON {
        guard var object = request.objectValue, var message = object["message"]?.objectValue else { return request }
        for kind in DemoAction.Kind.allCases { object[kind.rawValue] = nil }
        if let media = DemoPictures.media(of: message, on: server) { message["media"] = media }
        for name in ["deliverAt", "expiresAt"] {
            guard let time = message[name]?.stringValue.flatMap(TimeArgument.init(argument:)) else { continue }
            message[name] = .string(RFC3339.string(from: time.date(now: start)))
        }
        object["message"] = .object(message)
        return .object(object)
    }
}
