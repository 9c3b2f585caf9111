import Foundation
import Groundwork

/// The messages of a demo: a file as `inbox send --file` takes it, in which times may be relative (`+1m`, `+3d`), so
/// that it stays the same in every year.
struct DemoMessages: Sendable {
    let items: [OutgoingItem]

    /// - Throws: ``Failure`` where the file can't be read or a message isn't one.
    init(file: String) throws {
        guard FileManager.default.fileExists(atPath: file) else {
            throw Failure("There is no \(file). Run the demo in the package's directory, or give --messages FILE.")
        }
        let (items, mistakes) = try OutgoingFile(path: file).items(prefix: "inbox-demo")
        if let mistake = mistakes.first { throw Failure("\(file), item \(mistake.position): \(mistake.problem).") }
        self.items = items
    }

    /// The people whom messages are for by name, each once, in the order in which they come.
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

    /// What is still to be sent, with its times reckoned from one.
    func unsent(_ state: DemoState, from start: Date) -> [OutgoingItem] {
        items.filter { state.sent[$0.idempotencyKey] == nil }.map { item in
            OutgoingItem(
                position: item.position,
                request: Self.absolute(item.request, from: start),
                idempotencyKey: item.idempotencyKey
            )
        }
    }

    private static func absolute(_ request: JSON, from start: Date) -> JSON {
        guard var object = request.objectValue, var message = object["message"]?.objectValue else { return request }
        for name in ["deliverAt", "expiresAt"] {
            guard let time = message[name]?.stringValue.flatMap(TimeArgument.init(argument:)) else { continue }
            message[name] = .string(RFC3339.string(from: time.date(now: start)))
        }
        object["message"] = .object(message)
        return .object(object)
    }
}
