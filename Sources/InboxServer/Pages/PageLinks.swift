import Crypto
import Foundation
import Groundwork
import InboxHTML
import InboxService

/// Authenticates links of the page: a valid link was created by this server for the person who follows it.
///
/// `/inbox/messages/{id}/go` is a link, so any site may offer one to a person who is signed in. A click is counted only
/// with a code over person, message and link, which only the server can create.
struct PageLinks: Sendable {
    private let key: SymmetricKey
    /// An authentication that has read the key and nothing else. A page has many links.
    private let begun: HMAC<SHA256>

    private static let setting = "linkKey"

    /// Reads the key, or creates it on the first start.
    init(writer: Writer, random: RandomSource) async throws {
        let created = Data(random.bytes(32))
        let key: Data = try await writer.write { transaction in
            try transaction.setting(Self.setting, orNew: created)
        }
        self.key = SymmetricKey(data: key)
        begun = HMAC(key: self.key)
    }

    /// Returns the code of a link, in base64url.
    func code(person: Person, message: String, link: MessageLink) -> String {
        var code = begun
        code.update(data: Self.signed(person, message, link))
        return code.finalize().withUnsafeBytes { Base64URL.encode($0) }
    }

    /// Returns whether the code is the link's. Every wrong code takes the same time.
    func isValid(_ code: String, person: Person, message: String, link: MessageLink) -> Bool {
        guard let code = Base64URL.decode(code) else { return false }
        let signed = Self.signed(person, message, link)
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key)
    }

    /// Returns the authenticated bytes. Each part follows its length, so that no two links have the same bytes. An
    /// erased person gets a new account, so earlier codes are void.
    private static func signed(_ person: Person, _ message: String, _ link: MessageLink) -> [UInt8] {
        let (kind, id) =
            switch link {
            case .own: ("0", "")
            case .button(let id, _): ("1", id)
            case .html(let index, _): ("2", String(index))
            }
        return joined(["go", String(person.id), person.account, message, kind, id, link.target])
    }

    private static func joined(_ parts: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128 + (parts.last?.utf8.count ?? 0))
        for part in parts {
            bytes += String(part.utf8.count).utf8
            bytes.append(UInt8(ascii: ":"))
            bytes += part.utf8
        }
        return bytes
    }

    // MARK: Undoing

    /// Returns the token by which a person undoes an action, in base64url: the changes, and a code over them and the
    /// person.
    func token(_ done: DoneAction, person: Person) -> String {
        let bytes = done.bytes
        let code = HMAC<SHA256>.authenticationCode(for: Self.signed(bytes, person), using: key)
        return Base64URL.encode(Data(Array(code) + bytes))
    }

    /// Returns the action of a token, or nil if this server didn't issue it to the person.
    func action(_ token: String, person: Person) -> DoneAction? {
        guard let all = Base64URL.decode(token), all.count > SHA256.byteCount else { return nil }
        let (code, bytes) = (all.prefix(SHA256.byteCount), Array(all.dropFirst(SHA256.byteCount)))
        guard HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Self.signed(bytes, person), using: key)
        else { return nil }
        return DoneAction(bytes: bytes)
    }

    private static func signed(_ action: [UInt8], _ person: Person) -> [UInt8] {
        joined(["undo", String(person.id), person.account]) + action
    }
}
