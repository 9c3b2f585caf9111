import Crypto
import Foundation
import Groundwork
import InboxService

/// Shows that a link of the page was made by this server, for the person who follows it.
///
/// `/inbox/messages/{id}/go` is a link, so anyone may put one before a person who is signed in. It counts a click only
/// with a code over person, message and link, which no one else can make.
struct PageLinks: Sendable {
    private let key: SymmetricKey

    private static let setting = "linkKey"

    /// Reads the key, or makes it at the first start.
    init(writer: Writer, random: RandomSource) async throws {
        let made = Data(random.bytes(32))
        let key: Data = try await writer.write { transaction in
            try transaction.setting(Self.setting, orNew: made)
        }
        self.key = SymmetricKey(data: key)
    }

    /// The code of a link, in base64url.
    ///
    /// - Parameters:
    ///   - button: The button's id; nil for the message's own link.
    ///   - link: Where it leads.
    func code(person: Person, message: String, button: String?, link: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Self.signed(person, message, button, link), using: key)
        return Base64URL.encode(Data(code))
    }

    /// Whether it is the code of the link; takes the same time for each that isn't.
    func isValid(_ code: String, person: Person, message: String, button: String?, link: String) -> Bool {
        guard let code = Base64URL.decode(code) else { return false }
        let signed = Self.signed(person, message, button, link)
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key)
    }

    /// Each part after its length, so that no two links have the same bytes. The account is another one after an
    /// erasure.
    private static func signed(_ person: Person, _ message: String, _ button: String?, _ link: String) -> Data {
        var data = Data()
        for part in ["go", String(person.id), person.account, message, button == nil ? "0" : "1", button ?? "", link] {
            data.append(Data("\(part.utf8.count):".utf8))
            data.append(Data(part.utf8))
        }
        return data
    }
}
