import Foundation
package import Groundwork
import InboxModel

/// The validated settings of a webhook from the app's backend.
package struct WebhookSettings: Hashable, Sendable {
    let url: String
    /// The types and patterns, without duplicates.
    let types: [String]
    let isEnabled: Bool

    /// The maximum length in bytes.
    package static let maxURL = 2_048
    package static let typeCounts = 1...100
    private static let ports = 1...65_535

    /// Reads and validates the body of a request.
    ///
    /// - Parameter allowsPrivate: Whether the URL may contain a loopback address or another address that isn't public.
    ///   A host name is resolved and checked when a payload is sent.
    /// - Throws: ``JSONValueError`` for the first invalid part.
    package init(checking reader: JSONReader, allowsPrivate: Bool) throws(JSONValueError) {
        try reader.only(["url", "types", "enabled"])
        url = try Self.address(try reader.required("url"), allowsPrivate: allowsPrivate)
        types = try Self.types(try reader.required("types"))
        isEnabled = try reader.member("enabled")?.bool() ?? true
    }

    private static func types(_ reader: JSONReader) throws(JSONValueError) -> [String] {
        let elements = try reader.elements()
        guard typeCounts.contains(elements.count) else {
            throw reader.failure("has to contain 1 to \(typeCounts.upperBound) types")
        }
        var types: [String] = []
        for element in elements {
            let type = try element.string()
            guard WebhookType.isValid(type) else {
                throw element.failure(
                    "has to be *, event.*, message.*, event. followed by an event type, or one of "
                        + WebhookType.changes.joined(separator: ", ")
                )
            }
            if !types.contains(type) { types.append(type) }
        }
        return types
    }

    /// Validates a URL. Payloads contain personal data, so they are encrypted unless they stay on this machine.
    private static func address(_ reader: JSONReader, allowsPrivate: Bool) throws(JSONValueError) -> String {
        let text = try reader.string(maxBytes: maxURL)
        guard let scheme = LinkScheme(of: text), scheme.isWeb, let url = URL(string: text), let host = url.host() else {
            throw reader.failure("has to be an https URL")
        }
        guard scheme.name == "https" || Loopback.contains(host: host) else {
            throw reader.failure("has to be an https URL; http is allowed only for the server's own machine")
        }
        guard allowsPrivate || !isPrivate(host) else {
            throw reader.failure("must not name a private address, unless the server runs with --webhook-allow-private")
        }
        guard !IPAddress.isNumeric(host: host) || IPAddress(host: host) != nil else {
            throw reader.failure("has to have an IPv4 address, or a host name whose last part isn't a number")
        }
        // Characters outside ASCII would be changed on the way.
        guard text.utf8.allSatisfy({ $0 < 0x80 }), scheme.name == "http" || isName(host) else {
            throw reader.failure("has to have a host name of letters, digits, hyphens and dots")
        }
        guard url.user() == nil, url.password() == nil, url.fragment() == nil else {
            throw reader.failure("must have neither a user nor a fragment")
        }
        guard ports.contains(url.port ?? ports.upperBound) else {
            throw reader.failure("has to have a port up to \(ports.upperBound)")
        }
        return text
    }

    /// Returns whether a host is an address that isn't public, in any spelling that the network's functions read, or a
    /// name of this machine.
    private static func isPrivate(_ host: String) -> Bool {
        Loopback.isLocalName(host) || !(IPAddress(host: host)?.isPublic ?? true)
    }

    /// Returns whether a host is a domain name or an IPv4 address.
    private static func isName(_ host: String) -> Bool {
        host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            guard let first = label.utf8.first, let last = label.utf8.last, first != hyphen, last != hyphen else {
                return false
            }
            return label.utf8.allSatisfy(hostCharacters.contains)
        }
    }

    private static let hyphen = UInt8(ascii: "-")
    private static let hostCharacters = Set("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}
