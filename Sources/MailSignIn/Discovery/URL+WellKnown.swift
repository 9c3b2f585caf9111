import Foundation
import Groundwork

extension URL {
    /// The scheme, the host and the port, such as `https://mail.example.com`; nil without a host.
    var originText: String? {
        guard let scheme = scheme?.lowercased(), let host = host()?.lowercased(), !host.isEmpty else { return nil }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return "\(scheme)://\(name)" + (port.map { ":\($0)" } ?? "")
    }

    /// Returns the URL with a well-known name between the host and the path (RFC 8414, section 3.1; RFC 9728, section
    /// 3.1). A final slash is dropped. The query stays.
    func inserting(wellKnown name: String) -> URL? {
        guard let originText else { return nil }
        let parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        var path = parts?.percentEncodedPath ?? ""
        if path.hasSuffix("/") { path.removeLast() }
        let query = parts?.percentEncodedQuery.map { "?\($0)" } ?? ""
        return URL(string: "\(originText)/.well-known/\(name)\(path)\(query)")
    }

    /// Whether credentials may be sent there: over https, or, if the mail server is on this machine, over http to this
    /// machine.
    ///
    /// A user name in a URL, which could hide its host, is refused.
    func isSafe(local: Bool) -> Bool {
        guard user() == nil, password() == nil, fragment() == nil, allowsCredentials else { return false }
        return scheme?.lowercased() == "https" || local
    }

    /// Whether both have the same origin, path and query. No path is the same as a slash.
    func isSameResource(as other: URL) -> Bool {
        func path(_ url: URL) -> String { url.path().isEmpty ? "/" : url.path() }
        return hasSameOrigin(as: other) && path(self) == path(other) && query() == other.query()
    }

    /// Whether the host is this machine.
    var isLocal: Bool { host().map { Loopback.contains(host: $0) } ?? false }

    /// The host for a sentence.
    var shownHost: String { (host() ?? "the server") + (port.map { ":\($0)" } ?? "") }
}
