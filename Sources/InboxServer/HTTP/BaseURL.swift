import Foundation
import Groundwork
import Hummingbird

/// How the server is reached from outside, for the absolute URLs of the session.
struct BaseURL: Sendable {
    /// What the configuration says; it wins.
    let configured: URL?
    /// http, or https where the server itself speaks TLS.
    var scheme = "http"
    /// The address that the server listens on.
    let bound: Locked<String>

    /// The start of every URL, without a slash at the end.
    ///
    /// Without a configured one, it is where the client says that it came to: right behind a forwarded port, and of no use to
    /// anyone but the client itself.
    func text(for request: Request) -> String {
        if let configured {
            let text = configured.absoluteString
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        }
        if let host = request.head.authority, Self.isHost(host) { return "\(scheme)://\(host)" }
        return bound.withLock { $0 }
    }

    /// Whether a Host header holds a name or address and maybe a port, and nothing that could end up elsewhere in a URL.
    private static func isHost(_ text: String) -> Bool {
        guard (1...255).contains(text.utf8.count) else { return false }
        return text.wholeMatch(of: /(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?/) != nil
    }
}
