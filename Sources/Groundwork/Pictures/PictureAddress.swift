package import Foundation

/// The rule for the addresses from which a device fetches pictures of messages: they are on the public web.
///
/// Whoever writes a message chooses its addresses. Without the rule, a message could make the device send requests
/// within its own network.
///
/// Hosts are compared as written, without DNS. A public name that resolves to a private address isn't recognized, nor
/// is one that does so only at the second lookup ("DNS rebinding"). Such a request carries no credentials, and its
/// response is used only if it is a picture.
package enum PictureAddress {
    /// The longest address that is fetched, in bytes.
    package static let maxLength = 8_192

    /// Returns the URL of an address, or nil if it isn't fetched.
    ///
    /// An address is `http` or `https`, without a user name or password. Its host is a name with a dot that isn't one
    /// of a local network (`localhost`, `local`, `internal`, `home.arpa` and others), or a public IP address.
    package static func url(_ text: String) -> URL? {
        guard text.utf8.count <= maxLength, let url = URL(string: text), isFetched(url) else { return nil }
        return url
    }

    /// Whether a URL, such as the target of a redirect, may be fetched.
    package static func isFetched(_ url: URL) -> Bool {
        guard ["http", "https"].contains(url.scheme?.lowercased()), url.user() == nil, url.password() == nil,
            let host = url.host(percentEncoded: true)
        else { return false }
        return isPublic(host: host)
    }

    private static func isPublic(host: String) -> Bool {
        if let address = IPAddress(host: host) { return address.isPublic }
        // The network could read a host differently that is neither an address nor a plain name.
        guard host.utf8.allSatisfy(isNameByte) else { return false }
        let labels = host.lowercased().split(separator: ".")
        let name = labels.joined(separator: ".")
        guard labels.count > 1, !IPAddress.isNumeric(host: name) else { return false }
        return !localDomains.contains { ("." + name).hasSuffix($0) }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Domains of a machine or a local network (RFC 6761, RFC 6762, RFC 8375, RFC 7686; `internal` by ICANN), and those
    /// that home routers use.
    private static let localDomains = [
        ".localhost", ".local", ".localdomain", ".internal", ".intranet", ".private", ".corp", ".home", ".lan",
        ".home.arpa", ".in-addr.arpa", ".ip6.arpa", ".onion",
    ]
}
