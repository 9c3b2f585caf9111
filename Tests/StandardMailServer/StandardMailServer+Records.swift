import Foundation
package import Groundwork
import JMAP

extension StandardMailServer {
    /// The records of a type that isn't mail, such as cards: `/get`, `/query` in order of their ids, and `/changes`.
    struct Records {
        let capability: String
        private var number = 1
        private var forgottenUntil = 0
        private var records: [String: (json: JSONObject, createdAt: Int, updatedAt: Int)] = [:]
        private var destroyed: [String: Int] = [:]
        /// The largest number of ids in one answer.
        var maxObjects = 500

        init(capability: String) { self.capability = capability }

        mutating func put(_ json: JSON) {
            guard let object = json.objectValue, let id = object["id"]?.stringValue else { return }
            number += 1
            records[id] = (object, records[id]?.createdAt ?? number, number)
            destroyed[id] = nil
        }

        mutating func destroy(_ id: String) {
            guard records.removeValue(forKey: id) != nil else { return }
            number += 1
            destroyed[id] = number
        }

        mutating func forgetChanges() { forgottenUntil = number }

        /// Answers a method.
        ///
        /// - Throws: `MethodError`.
        func answer(_ method: String, _ arguments: JSONObject) throws -> JSON {
            switch method {
            case "get": try get(arguments)
            case "changes": try changes(arguments)
            case "query": query(arguments)
            default: throw MethodError(json: ["type": "unknownMethod"])
            }
        }

        private func get(_ arguments: JSONObject) throws -> JSON {
            let ids = arguments["ids"]?.arrayValue?.compactMap(\.stringValue) ?? records.keys.sorted()
            guard ids.count <= maxObjects else { throw MethodError(json: ["type": "requestTooLarge"]) }
            let properties = (arguments["properties"]?.arrayValue?.compactMap(\.stringValue)).map(Set.init)
            let found = ids.compactMap { records[$0]?.json }.map { object in
                JSON.object(
                    JSONObject(object.members.filter { $0.name == "id" || properties?.contains($0.name) ?? true })
                )
            }
            return [
                "accountId": .string(StandardMailServer.account), "state": .string("\(number)"), "list": .array(found),
                "notFound": JSON(ids.filter { records[$0] == nil }),
            ]
        }

        private func changes(_ arguments: JSONObject) throws -> JSON {
            guard let text = arguments["sinceState"]?.stringValue, let since = Int(text), since >= forgottenUntil,
                since <= number
            else { throw MethodError(json: ["type": "cannotCalculateChanges"]) }
            let all =
                records.filter { $0.value.updatedAt > since }.map { ($0.value.updatedAt, $0.key) }
                + destroyed.filter { $0.value > since }.map { ($0.value, $0.key) }
            let limit = min(arguments["maxChanges"]?.intValue ?? maxObjects, maxObjects)
            let changed = all.sorted { $0.0 < $1.0 }.prefix(limit)
            let hasMore = changed.count < all.count
            let held = changed.compactMap { change in records[change.1].map { (id: change.1, $0.createdAt) } }
            return [
                "accountId": .string(StandardMailServer.account), "oldState": .string(text),
                "newState": .string("\(hasMore ? changed.last?.0 ?? number : number)"),
                "hasMoreChanges": .bool(hasMore),
                "created": JSON(held.filter { $0.1 > since }.map(\.id)),
                "updated": JSON(held.filter { $0.1 <= since }.map(\.id)),
                "destroyed": JSON(changed.map(\.1).filter { records[$0] == nil }),
            ]
        }

        private func query(_ arguments: JSONObject) -> JSON {
            let position = arguments["position"]?.intValue ?? 0
            let page = records.keys.sorted().dropFirst(position)
                .prefix(min(arguments["limit"]?.intValue ?? maxObjects, maxObjects))
            return [
                "accountId": .string(StandardMailServer.account), "queryState": .string("\(number)"),
                "canCalculateChanges": false, "position": JSON(position), "total": JSON(records.count),
                "ids": JSON(Array(page)),
            ]
        }
    }

    /// Adds a type of records. The session has its capability from now on.
    package func addType(_ name: String, capability: String) {
        state.withLock { $0.records[name] = Records(capability: capability) }
    }

    /// Creates or replaces records, as another client would.
    package func put(_ type: String, _ records: JSON...) {
        state.withLock { state in for record in records { state.records[type]?.put(record) } }
    }

    /// Destroys records, as another client would.
    package func destroy(_ type: String, _ ids: String...) {
        state.withLock { state in for id in ids { state.records[type]?.destroy(id) } }
    }

    /// Forgets the history of a type's changes.
    package func forgetChanges(of type: String) { state.withLock { $0.records[type]?.forgetChanges() } }

    /// Sets the largest number of a type's records in one answer.
    package func limit(_ type: String, to number: Int) { state.withLock { $0.records[type]?.maxObjects = number } }
}
