import Groundwork
import InboxModel
import JMAP

/// What the server has to have done with people's writes: each batch once, in the order in which they reached it.
struct Ledger {
    /// What each batch asked for, by its key.
    private(set) var batches: [Batch: SetCall] = [:]
    /// All values that each field has had at the server, one after the other, beginning with null.
    private(set) var history: [FieldPath: [FieldValue]] = [:]
    /// What each device last had decided of each field, whether taken or refused.
    private(set) var decided: [String: [FieldPath: FieldValue]] = [:]
    /// How many batches of each device asked for a value.
    private(set) var arrivals: [String: [FieldWrite: Int]] = [:]
    /// What was wrong with a batch that came.
    private(set) var faults: [String] = []

    /// The value that each field has to have now, those that aren't null.
    var values: [FieldPath: FieldValue] {
        history.compactMapValues { $0.last }.filter { $0.value != .null }
    }

    func value(_ path: FieldPath) -> FieldValue { history[path]?.last ?? .null }

    /// Whether the history of a field has a value at that place or later; the place if so.
    func place(of value: FieldValue, in path: FieldPath, from place: Int) -> Int? {
        let values = history[path] ?? [.null]
        return values.indices.dropFirst(place).first { values[$0] == value }
    }

    /// Takes a request's writes and what the server said of them.
    ///
    /// - Parameter isVisible: Whether the person's inbox shows a message now.
    /// - Returns: The fields that have a new value.
    mutating func take(
        _ writes: SetCall,
        _ outcome: SetOutcome,
        from device: String,
        isVisible: (String) -> Bool
    ) -> [FieldPath] {
        if let earlier = batches[writes.key] {
            if earlier != writes { faults.append("batch \(writes.key) was repeated with other writes") }
            return []
        }
        batches[writes.key] = writes
        var changed: [FieldPath] = []
        for (path, value) in writes.values.sorted(by: { $0.key < $1.key }) {
            decided[device, default: [:]][path] = value
            arrivals[device, default: [:]][FieldWrite(path: path, value: value), default: 0] += 1
            let isTaken = outcome.updated.contains(path.id)
            if isTaken == outcome.refused.contains(path.id) {
                faults.append("\(path.id) is both taken and refused, or neither")
            }
            if isTaken != isVisible(path.id) { faults.append("\(path) is taken: \(isTaken), shown: \(!isTaken)") }
            guard isTaken, self.value(path) != value else { continue }
            history[path, default: [.null]].append(value)
            changed.append(path)
        }
        return changed
    }
}

extension Ledger {
    /// Takes what a write to all has changed at the server.
    ///
    /// - Parameter values: The server's values after it.
    /// - Returns: The fields that have a new value.
    mutating func take(bulk values: [FieldPath: FieldValue]) -> [FieldPath] {
        let changed = Set(values.keys).union(self.values.keys)
            .filter { ["readAt", "seenAt"].contains($0.field) && value($0) != values[$0] ?? .null }.sorted()
        for path in changed { history[path, default: [.null]].append(values[path] ?? .null) }
        return changed
    }

    /// Notes that a device was told that its writes are refused; the server has never seen them.
    mutating func refuse(_ writes: SetCall, from device: String) {
        for (path, value) in writes.values { decided[device, default: [:]][path] = value }
    }
}

/// The writes that a request carries.
struct SetCall: Hashable {
    let key: Batch
    let values: [FieldPath: FieldValue]
    /// A write to all.
    let bulk: MarkAllRead?

    /// - Returns: Nil where the request carries none.
    init?(_ request: JSON) {
        let calls = request["methodCalls"]?.arrayValue?.compactMap(\.arrayValue) ?? []
        guard let arguments = calls.first(where: { $0[0] == .string("\(MessageCapability.messageType)/set") })?[1],
            let batch = arguments[Batch.argument], let key = try? Batch(reading: JSONReader(batch))
        else { return nil }
        self.key = key
        bulk = arguments[MarkAllRead.argument].flatMap { try? MarkAllRead(reading: JSONReader($0)) }
        var values: [FieldPath: FieldValue] = [:]
        for record in arguments["update"]?.objectValue?.members ?? [] {
            for field in record.value.objectValue?.members ?? [] where field.name != MessageCapability.consent {
                values[FieldPath(id: record.name, field: field.name)] = FieldValue(json: field.value)
            }
        }
        self.values = values
    }
}

/// What a server said of the writes of a request.
struct SetOutcome {
    let updated: Set<String>
    let refused: Set<String>

    /// - Returns: Nil where the server took none of them, and said so.
    init?(_ response: JSON) {
        let answers = response["methodResponses"]?.arrayValue?.compactMap(\.arrayValue) ?? []
        guard let arguments = answers.first(where: { $0[0] == .string("\(MessageCapability.messageType)/set") })?[1]
        else { return nil }
        updated = Set(arguments["updated"]?.objectValue?.names ?? [])
        refused = Set(arguments["notUpdated"]?.objectValue?.names ?? [])
    }
}
