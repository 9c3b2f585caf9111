package import Groundwork

/// An announcement that records of some types changed in some accounts (RFC 8620, section 7.1).
package struct StateChange: Hashable, Sendable {
    /// The new states, by account and type.
    package var changed: [String: [String: String]]

    package init(changed: [String: [String: String]]) {
        self.changed = changed
    }

    /// Reads a server's announcement. Returns nil if it isn't a StateChange. States that aren't strings are ignored.
    package init?(json: JSON) {
        guard json["@type"]?.stringValue == "StateChange", let accounts = json["changed"]?.objectValue else {
            return nil
        }
        changed = [:]
        for account in accounts.members {
            changed[account.name] = (account.value.objectValue?.members ?? []).reduce(into: [:]) {
                $0[$1.name] = $1.value.stringValue
            }
        }
    }

    package var json: JSON {
        let accounts = changed.sorted { $0.key < $1.key }.map { account in
            let types = account.value.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
            return (account.key, JSON.object(JSONObject(types)))
        }
        return ["@type": "StateChange", "changed": .object(JSONObject(accounts))]
    }
}
