package import Groundwork
public import InboxModel
import JMAP

extension ScriptedServer {
    /// The settings of surfaces as records.
    struct Surfaces {
        fileprivate var records: [String: (json: JSON, created: Int, changed: Int)] = [:]
        fileprivate(set) var state = 0
        /// The oldest state since which changes are known.
        fileprivate var oldest = 0
        /// The error that replaces every response.
        var failure: MethodError?
    }

    /// Sets the display settings of a surface, as a backend would. Identical settings change nothing.
    public func setSettings(_ settings: InboxSettings, surface: String) {
        setSettings(json: settings.json, surface: surface)
    }

    /// Sets arbitrary JSON as the settings of a surface, valid or not.
    package func setSettings(json: JSON, surface: String) {
        var record = json
        if var object = json.objectValue {
            object["id"] = .string(surface)
            record = .object(object)
        }
        state.withLock { state in
            guard state.surfaces.set(record, surface) else { return }
            state.notify(MessageCapability.surfaceType, state.surfaces.state)
        }
    }

    /// Removes a surface without reporting it, as a server may. A client with an older state needs a full sync.
    package func removeSettings(surface: String) {
        state.withLock { state in
            state.surfaces.remove(surface)
            state.notify(MessageCapability.surfaceType, state.surfaces.state)
        }
    }

    /// Changes the session state. Clients that receive the new state fetch the session again.
    public func changeSession() {
        state.withLock { $0.session += 1 }
    }
}

extension ScriptedServer.Surfaces {
    /// - Returns: Whether the settings changed.
    fileprivate mutating func set(_ json: JSON, _ id: String) -> Bool {
        guard records[id]?.json != json else { return false }
        state += 1
        records[id] = (json, records[id]?.created ?? state, state)
        return true
    }

    fileprivate mutating func remove(_ id: String) {
        guard records.removeValue(forKey: id) != nil else { return }
        state += 1
        oldest = state
    }

    func get(_ arguments: JSON) throws(MethodError) -> JSON {
        if let failure { throw failure }
        let ids = arguments["ids"]?.arrayValue?.compactMap(\.stringValue) ?? records.keys.sorted()
        return [
            "state": .string(String(state)),
            "list": .array(ids.compactMap { records[$0]?.json }),
            "notFound": JSON(ids.filter { records[$0] == nil }),
        ]
    }

    func changes(_ arguments: JSON) throws(MethodError) -> JSON {
        if let failure { throw failure }
        guard let since = arguments["sinceState"]?.stringValue.flatMap({ Int($0) }), since <= state, since >= oldest
        else { throw .cannotCalculateChanges }
        let all = records.filter { $0.value.changed > since }.sorted { $0.value.changed < $1.value.changed }
        let page = all.prefix(arguments["maxChanges"]?.intValue ?? .max)
        let reached = page.count == all.count ? state : page.last?.value.changed ?? since
        return [
            "oldState": .string(String(since)), "newState": .string(String(reached)),
            "hasMoreChanges": .bool(page.count < all.count),
            "created": JSON(page.filter { $0.value.created > since }.map(\.key)),
            "updated": JSON(page.filter { $0.value.created <= since }.map(\.key)),
            "destroyed": [],
        ]
    }
}
