import Foundation

/// The kind of a file's content, for files with a key or a secret. It doesn't depend on the option that names the file.
///
/// Only randomly generated content may be used as a secret: see ``adviceForSecrets``.
enum KeyFileKind: Hashable, Sendable {
    /// The content begins with `-----BEGIN`.
    case pem
    /// The content has PEM, JSON or an SSH key after other text.
    case afterOtherText
    /// The content begins with a byte order mark.
    case byteOrderMark
    case jsonObject
    case jsonArray
    /// An SSH key in the format of OpenSSH (`ssh-ed25519 …`), RFC 4716 or PuTTY.
    case ssh
    /// A key or a certificate in DER (X.690), either binary or in base64 without the lines of PEM.
    case der
    /// Anything else, possibly a secret.
    case other

    init(of bytes: [UInt8]) {
        self = Self.kind(of: bytes)
    }

    private static let byteOrderMarks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]

    private static func kind(of bytes: [UInt8]) -> KeyFileKind {
        if byteOrderMarks.contains(where: { bytes.starts(with: $0) }) { return .byteOrderMark }
        if PublicKeyEncoding.isDER(bytes) || PublicKeyEncoding.isDER(bytes.dropLast()) { return .der }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("-----BEGIN ") { return .pem }
        if text.hasPrefix("{") { return .jsonObject }
        if text.hasPrefix("[") { return .jsonArray }
        if isSSH(text) { return .ssh }
        if text.contains("-----BEGIN ") || text.contains("\"kty\"") || text.contains("\"keys\"") {
            return .afterOtherText
        }
        let unbroken = text.filter { !$0.isWhitespace }.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - unbroken.utf8.count % 4) % 4)
        if let decoded = Data(base64Encoded: unbroken + padding) {
            if PublicKeyEncoding.isDER(Array(decoded)) { return .der }
            if PublicKeyEncoding.isSSH(Array(decoded)) { return .ssh }
        }
        return .other
    }

    private static func isSSH(_ text: String) -> Bool {
        if text.hasPrefix("---- BEGIN SSH2") || text.hasPrefix("PuTTY-User-Key-File") { return true }
        // In `authorized_keys`, options precede the type.
        return text.contains(/(^|\s)(sk-)?(ssh-(rsa|dss|ed25519|ed448)|ecdsa-sha2-[a-z0-9-]+)(@openssh\.com)?\s/)
    }

    /// The reason why a file of this kind has no public keys, and how to fix it.
    var adviceForKeys: String {
        switch self {
        case .pem, .jsonObject: "isn't a supported key."
        case .afterOtherText:
            "has text before its key. Remove everything before -----BEGIN PUBLIC KEY----- or before the JSON."
        case .byteOrderMark: "starts with a byte order mark. Save it as UTF-8 without one."
        case .jsonArray: #"is a JSON array. Use a JSON Web Key Set: {"keys": [ … ]}."#
        case .ssh: "is an SSH key. Convert its public key to PEM with: ssh-keygen -e -m PKCS8 -f FILE.pub"
        case .der: "is DER. Convert it to PEM with: openssl pkey -pubin -inform DER -in FILE"
        case .other:
            "is neither a PEM public key nor a JSON Web Key Set. Pass a secret for HS256 with \(AppSecretFile.option)."
        }
    }

    /// The reason why a file of this kind isn't a secret, and how to fix it. Nil if it may be one.
    var adviceForSecrets: String? {
        let what: String
        switch self {
        case .other: return nil
        case .pem, .afterOtherText: what = "contains a key"
        case .byteOrderMark: what = "starts with a byte order mark"
        case .jsonObject, .jsonArray: what = "is JSON"
        case .ssh: what = "is an SSH key"
        case .der: what = "is a key or a certificate in DER"
        }
        return what + ". Pass a public key with \(AppKeyFile.option). A secret for HS256 is random bytes, such as "
            + "the output of openssl rand -hex 32."
    }
}

/// Tests for the encodings of public keys.
enum PublicKeyEncoding {
    /// Returns whether the bytes are exactly one ASN.1 SEQUENCE in DER (X.690 §8.1, §10.1), as keys and certificates
    /// are. Always false for text.
    static func isDER(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = bytes[...]
        guard rest.popFirst() == 0x30, let first = rest.popFirst() else { return false }
        var length = Int(first)
        if first & 0x80 != 0 {
            length = 0
            for _ in 0..<min(Int(first & 0x7F), 4) { length = length << 8 | Int(rest.popFirst() ?? 0) }
        }
        // The content of a key or a certificate begins with another SEQUENCE or an INTEGER.
        guard length == rest.count, let tag = rest.first, tag == 0x30 || tag == 0x02 else { return false }
        return bytes.contains { byte in
            (byte < 0x20 || byte > 0x7E) && ![0x09, 0x0A, 0x0D].contains(byte)
        }
    }

    /// Returns whether the bytes begin like the binary part of an SSH public key: the length of the type, and the type
    /// (RFC 4253 §6.6).
    static func isSSH(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 11, bytes.starts(with: [0, 0, 0]) else { return false }
        let type = String(decoding: bytes[4...].prefix(Int(bytes[3])), as: UTF8.self)
        return ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"].contains { type.hasPrefix($0) }
    }

    /// The object identifier rsaEncryption, 1.2.840.113549.1.1.1 (RFC 8017 Appendix C).
    private static let rsa: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

    /// Returns whether the DER of a public key (RFC 5280 §4.1) names RSA as its algorithm.
    static func isRSA(_ der: Data) -> Bool { der.firstRange(of: rsa) != nil }
}
