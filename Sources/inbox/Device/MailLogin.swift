import Foundation
import Groundwork
import InboxMail

/// The login for mail on a device.
struct MailLogin: Sendable {
    /// The authentication scheme.
    enum Scheme: String, Sendable {
        /// A password (RFC 7617).
        case basic
        /// A bearer token (RFC 6750).
        case bearer

        /// The tokens of a sign-in in the browser, which are stored elsewhere (``Device/keeper(of:)``).
        case oauth

        /// The scheme for the person.
        var shownText: String {
            switch self {
            case .basic: "password (Basic)"
            case .bearer: "token (Bearer)"
            case .oauth: "in the browser (OAuth)"
            }
        }

        /// The noun for the secret in sentences.
        var secret: String { self == .basic ? "password" : "token" }
    }

    private static let name = "inbox mail login"
    /// The command to log in, on this device.
    static let command = name + DeviceOptions.again

    /// The command to log in again.
    var command: String {
        let (server, user, sender) = (server.absoluteString, user.shellWord, sender?.typedText.shellWord)
        let from = (sender.map { " --from \($0)" } ?? "") + DeviceOptions.again
        switch scheme {
        case .basic: return "\(Self.name) --server \(server) --user \(user) --password-stdin\(from)"
        case .bearer: return "\(Self.name) --server \(server) --user \(user) --token-stdin\(from)"
        case .oauth: return "\(Self.name) \(user) --server \(server)\(from)"
        }
    }

    /// The command to log in again to an opened mail.
    static func command(for mail: Mail) -> String {
        let directory = mail.store.location.file.deletingLastPathComponent()
        return (try? Device(directory: directory).mailLogin())?.command ?? command
    }

    var server: URL
    var user: String
    var scheme: Scheme
    /// The password or the token; empty for a sign-in in the browser.
    var secret: String
    /// The name and address to send with, where the server has none; nil if they weren't given.
    var sender: EmailAddress?
    /// The name of the device's folder with the tokens of a sign-in in the browser. Another sign-in of the same user
    /// has another one, so that it doesn't replace the tokens of a login that stays.
    var tokens = Self.tokensFolder

    /// The folder of the first sign-in.
    static let tokensFolder = "tokens"

    init(server: URL, user: String, scheme: Scheme, secret: String, sender: EmailAddress? = nil) {
        (self.server, self.user, self.scheme, self.secret, self.sender) = (server, user, scheme, secret, sender)
    }

    /// - Throws: ``JSONValueError``.
    init(json: JSON) throws(JSONValueError) {
        let reader = JSONReader(json)
        let (server, scheme) = (try reader.required("server"), try reader.required("scheme"))
        guard let url = URL(string: try server.string()) else { throw server.failure("has to be a URL") }
        guard let known = Scheme(rawValue: try scheme.string()) else {
            throw scheme.failure("has to be basic, bearer or oauth")
        }
        self.init(
            server: url,
            user: try reader.required("user").string(),
            scheme: known,
            secret: known == .oauth ? "" : try reader.required("secret").string(),
            sender: json["sender"]?.stringValue.flatMap { EmailAddress.read($0).addresses.first }
        )
        if let folder = json["tokens"]?.stringValue {
            guard folder.hasPrefix(Self.tokensFolder), !folder.contains("/") else {
                throw try reader.required("tokens").failure("has to be the name of a folder of tokens")
            }
            tokens = folder
        }
    }

    var json: JSON {
        var object = JSONObject([
            ("server", .string(server.absoluteString)), ("user", .string(user)), ("scheme", .string(scheme.rawValue)),
        ])
        if scheme != .oauth { object["secret"] = .string(secret) }
        object["sender"] = sender.map { .string($0.typedText) }
        if tokens != Self.tokensFolder { object["tokens"] = .string(tokens) }
        return .object(object)
    }
}
