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

    /// Returns the JSON text that announces new states of one account.
    ///
    /// It is written once for each of thousands of streams after a message to everyone, so no JSON value is made for it.
    package static func text(of account: String, _ states: [(type: String, state: String)]) -> String {
        var bytes = Array(#"{"@type":"StateChange","changed":{"#.utf8)
        JSON.write(string: account, to: &bytes)
        bytes += ":{".utf8
        for (index, state) in states.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSON.write(string: state.type, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            JSON.write(string: state.state, to: &bytes)
        }
        bytes += "}}}".utf8
        return String(decoding: bytes, as: UTF8.self)
    }
}
