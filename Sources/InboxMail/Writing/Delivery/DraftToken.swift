import Groundwork
import Replica

/// The `Message-ID`s of a draft. They begin with one token, by which all devices recognise the draft's versions and
/// the mail that is sent.
///
/// The mail to send has `token@domain`. A saved version has `token.nonce@domain`, with a nonce of its own. A token is
/// random: it says nothing about the person or the device.
enum DraftToken {
    private static let length = 24
    private static let nonceLength = 8

    static func make(_ random: RandomSource) -> String { random.token(length: length) }

    /// Returns the token of another program's draft: the same on all devices.
    static func ofForeignDraft(_ emailID: String) -> String {
        String(StoreLocation.digest(of: emailID).prefix(length))
    }

    /// Returns the `Message-ID` of the mail to send, without angle brackets.
    static func messageID(_ token: String, domain: String) -> String { "\(token)@\(domain)" }

    /// Returns a new `Message-ID` for a version.
    static func versionID(_ token: String, domain: String, _ random: RandomSource) -> String {
        "\(token).\(random.token(length: nonceLength))@\(domain)"
    }

    /// Returns the token of a `Message-ID`, and whether it is that of the mail to send; nil for one that isn't a
    /// draft's of this package.
    static func read(_ messageID: String) -> (token: String, isForSending: Bool)? {
        let local = messageID.prefix { $0 != "@" }
        let parts = local.split(separator: ".", omittingEmptySubsequences: false)
        guard let token = parts.first, token.utf8.count == length, token.utf8.allSatisfy(isTokenCharacter),
            parts.count == 1 || (parts.count == 2 && parts[1].utf8.count == nonceLength)
        else { return nil }
        return (String(token), parts.count == 1)
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
