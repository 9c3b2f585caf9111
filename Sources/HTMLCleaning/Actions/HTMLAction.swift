/// Something that a person can do in an HTML message (Bloomreach, App Inbox: "Override button action type in HTML
/// message").
public struct HTMLAction: Hashable, Sendable {
    /// The address to open, in the cleaner's spelling.
    public let url: String
    /// The opener of the address.
    public let kind: Kind
    /// The text of the element, or nil if it has none.
    public let label: String?

    /// The opener of an address.
    public enum Kind: String, Hashable, Sendable {
        /// The browser, by default for `http` and `https`.
        case browser
        /// The app or another one, by default for all other schemes.
        case deepLink = "deep-link"
    }

    /// Whether a click counts even without consent: the address has the parameter `xnpe_force_track`, without a value
    /// or with `true` or `1`.
    public var forcesTracking: Bool {
        guard let query = Address(url)?.query else { return false }
        return query.split(separator: "&").contains { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == "xnpe_force_track" else { return false }
            return parts.count == 1 || ["", "true", "1"].contains(parts[1].lowercased())
        }
    }
}
