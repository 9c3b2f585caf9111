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
    /// Without a configured one, it is where the client says that it came to: right behind a forwarded port, and of no
    /// use to anyone but the client itself.
    func text(for request: Request) -> String {
        if let configured {
            let text = configured.absoluteString
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        }
        if let host = request.head.authority, Self.isHost(host) { return "\(scheme)://\(host)" }
        return bound.withLock { $0 }
    }

    /// Whether a Host header holds a name or address and maybe a port, and nothing that could end up elsewhere in a
    /// URL.
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
