package import Groundwork
public import InboxModel
import JMAP

extension ScriptedServer {
    /// The settings of surfaces, as records.
    struct Surfaces {
        fileprivate var records: [String: (json: JSON, created: Int, changed: Int)] = [:]
        fileprivate(set) var state = 0
        /// Changes before this state are forgotten.
        fileprivate var oldest = 0
        /// What is answered in place of everything else.
        var failure: MethodError?
    }

    /// Sets how a surface is to be shown, as a backend would. Settings that are as they were change nothing.
    public func setSettings(_ settings: InboxSettings, surface: String) {
        setSettings(json: settings.json, surface: surface)
    }

    /// Sets what a server might send as the settings of a surface, readable or not.
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

    /// Removes a surface without reporting it, as a server may: a client with older changes needs a full sync.
    package func removeSettings(surface: String) {
        state.withLock { state in
            state.surfaces.remove(surface)
            state.notify(MessageCapability.surfaceType, state.surfaces.state)
        }
    }

    /// From now on has another session: clients that see its state ask for it again.
    public func changeSession() {
        state.withLock { $0.session += 1 }
    }
}

extension ScriptedServer.Surfaces {
    /// - Returns: Whether anything is different now.
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
