import Groundwork
import InboxModel
import JMAP

/// The writes that the server must have applied: each batch once, in order of arrival.
struct Ledger {
    /// The writes of each batch, by key.
    private(set) var batches: [Batch: SetCall] = [:]
    /// All values of each field on the server in order, starting with null.
    private(set) var history: [FieldPath: [FieldValue]] = [:]
    /// The last decided value of each field by device, whether accepted or refused.
    private(set) var decided: [String: [FieldPath: FieldValue]] = [:]
    /// The number of batches of each device with a value.
    private(set) var arrivals: [String: [FieldWrite: Int]] = [:]
    /// The problems with received batches.
    private(set) var faults: [String] = []

    /// The current value of each field that isn't null.
    var values: [FieldPath: FieldValue] {
        history.compactMapValues { $0.last }.filter { $0.value != .null }
    }

    func value(_ path: FieldPath) -> FieldValue { history[path]?.last ?? .null }

    /// Returns the first position of a value in a field's history, starting at a position.
    func position(of value: FieldValue, in path: FieldPath, from position: Int) -> Int? {
        let values = history[path] ?? [.null]
        return values.indices.dropFirst(position).first { values[$0] == value }
    }

    /// Applies a request's writes and the server's answer.
    ///
    /// - Parameter isVisible: Whether the person's inbox shows a message now.
    /// - Returns: The fields with a new value.
    mutating func apply(
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
            let isUpdated = outcome.updated.contains(path.id)
            if isUpdated == outcome.refused.contains(path.id) {
                faults.append("\(path.id) is both updated and refused, or neither")
            }
            if isUpdated != isVisible(path.id) {
                faults.append("\(path) is updated: \(isUpdated), shown: \(!isUpdated)")
            }
            guard isUpdated, self.value(path) != value else { continue }
            history[path, default: [.null]].append(value)
            changed.append(path)
        }
        return changed
    }
}

extension Ledger {
    /// Applies the changes of a bulk write on the server.
    ///
    /// - Parameter values: The server's values after the write.
    /// - Returns: The fields with a new value.
    mutating func apply(bulk values: [FieldPath: FieldValue]) -> [FieldPath] {
        let changed = Set(values.keys).union(self.values.keys)
            .filter { ["readAt", "seenAt"].contains($0.field) && value($0) != values[$0] ?? .null }.sorted()
        for path in changed { history[path, default: [.null]].append(values[path] ?? .null) }
        return changed
    }

    /// Records that a device received a refusal of its writes. The server never received them.
    mutating func recordRefusal(of writes: SetCall, from device: String) {
        for (path, value) in writes.values { decided[device, default: [:]][path] = value }
    }
}

/// The writes of a request.
struct SetCall: Hashable {
    let key: Batch
    let values: [FieldPath: FieldValue]
    /// The bulk write of the request.
    let bulk: MarkAllRead?

    /// - Returns: Nil if the request has no writes.
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

/// A server's answer to the writes of a request.
struct SetOutcome {
    let updated: Set<String>
    let refused: Set<String>

    /// - Returns: Nil if the server rejected them all.
    init?(_ response: JSON) {
        let answers = response["methodResponses"]?.arrayValue?.compactMap(\.arrayValue) ?? []
        guard let arguments = answers.first(where: { $0[0] == .string("\(MessageCapability.messageType)/set") })?[1]
        else { return nil }
        updated = Set(arguments["updated"]?.objectValue?.names ?? [])
        refused = Set(arguments["notUpdated"]?.objectValue?.names ?? [])
    }
}
