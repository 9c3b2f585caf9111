import Foundation
import MailComposing

/// The domain of an address, in ASCII and lower case.
struct MailDomain: Hashable, Sendable {
    let name: String

    /// - Throws: ``SignInError`` with the code `invalidAddress`.
    init(of address: String) throws(SignInError) {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard let domain = parts.last.flatMap({ DomainName.ascii(String($0)) }), parts.count >= 2, !parts[0].isEmpty,
            address.utf8.count <= 254, !address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }),
            Self.isHostName(domain)
        else { throw SignInError(.invalidAddress, "An address has the form name@domain.") }
        name = domain
    }

    /// Whether a host is the domain itself, or a part of it.
    func contains(_ host: String) -> Bool {
        let host = host.lowercased()
        return host == name || host.hasSuffix(".\(name)")
    }

    /// Whether a text is a host name of letters, digits and hyphens (RFC 1123, section 2.1).
    static func isHostName(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy {
                        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0)
                            || $0 == UInt8(ascii: "-")
                    }
            }
    }
}
