import Foundation
import Groundwork
import Hummingbird

/// The server's URL as clients reach it, for the absolute URLs of the session.
struct BaseURL: Sendable {
    /// The configured URL, which takes precedence.
    let configured: URL?
    /// `http`, or `https` if the server itself uses TLS.
    var scheme = "http"
    /// The address that the server listens on.
    let bound: Locked<String>

    /// Returns the prefix of all URLs, without a slash at the end.
    ///
    /// If no URL is configured, this is the host that the client's request names. It is correct behind a forwarded
    /// port, and is sent to no other client.
    func text(for request: Request) -> String {
        if let configured {
            let text = configured.absoluteString
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        }
        if let host = request.head.authority, Self.isHost(host) { return "\(scheme)://\(host)" }
        return bound.withLock { $0 }
    }

    /// Returns whether a Host header consists of a name or an address and an optional port, and contains nothing that
    /// another part of a URL could contain.
    private static func isHost(_ text: String) -> Bool {
        guard (1...255).contains(text.utf8.count), let first = text.utf8.first else { return false }
        var rest = text.utf8[...]
        if first == UInt8(ascii: "[") {
            let address = rest.dropFirst().prefix {
                Self.isHex($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            }
            guard !address.isEmpty, address.endIndex < rest.endIndex, rest[address.endIndex] == UInt8(ascii: "]") else {
                return false
            }
            rest = rest[address.endIndex...].dropFirst()
        } else {
            let name = rest.prefix(while: isNamePart)
            guard !name.isEmpty else { return false }
            rest = rest[name.endIndex...]
        }
        guard let colon = rest.popFirst() else { return true }
        return colon == UInt8(ascii: ":") && (1...5).contains(rest.count) && rest.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHex(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "._-".utf8.contains(byte)
    }
}
