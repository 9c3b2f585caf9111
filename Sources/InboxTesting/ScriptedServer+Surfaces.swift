package import Groundwork
public import InboxModel

extension ScriptedServer {
    /// Sets the settings of a surface, as a backend does. Equal settings change nothing.
    public func setSettings(_ settings: InboxSettings, surface: String) {
        setSettings(json: settings.json, surface: surface)
    }

    /// Sets a value as the settings of a surface, whether or not a client can read it.
    package func setSettings(json: JSON, surface: String) {
        var record = json
        if var object = json.objectValue {
            object["id"] = .string(surface)
            record = .object(object)
        }
        state.withLock { state in
            guard state.surfaces.records[surface]?.json != record else { return }
            state.surfaces.put(surface, record)
            state.account.notify(MessageCapability.surfaceType, state.surfaces.state)
        }
    }

    /// Removes a surface without reporting it, as a server may. A client with older changes needs a full sync.
    package func removeSettings(surface: String) {
        state.withLock { state in
            state.surfaces.remove(surface, isReported: false)
            state.account.notify(MessageCapability.surfaceType, state.surfaces.state)
        }
    }

    /// Begins a new session. Clients that see its state fetch the session again.
    public func changeSession() {
        state.withLock { $0.account.sessionNumber += 1 }
    }
}
