public import Foundation
import Groundwork

/// A failure of signing in, or of a sign-in that has ended.
///
/// Its text names hosts. It contains neither tokens nor codes, nor a server's own words, except the name of an error
/// that a standard defines.
public struct SignInError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure. Later versions may add kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The address isn't one of the form `name@domain`.
        public static let invalidAddress = Code("invalidAddress")
        /// The person has cancelled.
        public static let cancelled = Code("cancelled")
        /// The person, or the server's policy, has denied the access in the browser.
        public static let denied = Code("denied")
        /// The server refuses the request for another reason. ``SignInError/serverCode`` names it.
        public static let refused = Code("refused")
        /// An answer is from another issuer than the one that was asked, or describes another server. It may be an
        /// attack, and nothing was sent there.
        public static let wrongIssuer = Code("wrongIssuer")
        /// The browser has returned with an answer to another request. It may be an attack, and was ignored.
        public static let invalidRedirect = Code("invalidRedirect")
        /// The sign-in took too long in the browser, or its code was used or has expired. Start again.
        public static let expired = Code("expired")
        /// There is no network, or the server can't be reached.
        public static let notConnected = Code("notConnected")
        /// A server didn't answer in time.
        public static let timedOut = Code("timedOut")
        /// The domain has no mail server with JMAP. ``SignInError/description`` names the servers that were found.
        public static let noJMAP = Code("noJMAP")
        /// The domain has a mail server, but only with IMAP.
        public static let onlyIMAP = Code("onlyIMAP")
        /// The mail server names no authorization server, or one that can't be used. It may accept a password.
        public static let noAuthorizationServer = Code("noAuthorizationServer")
        /// The authorization server registers no clients, and no client id is configured
        /// (``SignInConfiguration/clientID``).
        public static let noRegistration = Code("noRegistration")
        /// A server's answer can't be read, is too large, or is missing a part.
        public static let invalidAnswer = Code("invalidAnswer")
        /// A server answered with an error. A later attempt may succeed.
        public static let serverError = Code("serverError")
        /// No browser can be opened, or it can't return to this program.
        public static let noBrowser = Code("noBrowser")
        /// The authorization server has ended the sign-in, or the access can't be renewed any more: sign in again. Mail
        /// on this device can still be read.
        public static let signInRequired = Code("signInRequired")
        /// The person has signed out.
        public static let signedOut = Code("signedOut")
        /// The tokens can't be read or stored on this device.
        public static let storage = Code("storage")
    }

    /// The kind of the failure.
    public let code: Code
    /// A description in English: the failure, and how to fix it.
    public let description: String
    /// The same as ``description``. It isn't localized.
    public var errorDescription: String? { description }
    /// The name of the server's error as the standards define it, such as `invalid_scope`; nil for other failures.
    public let serverCode: String?

    /// Creates an error, such as one that a ``SignInBrowser`` throws.
    public init(_ code: Code, _ description: String) {
        self.init(code, description, serverCode: nil)
    }

    init(_ code: Code, _ description: String, serverCode: String?) {
        (self.code, self.description, self.serverCode) = (code, description, serverCode)
    }
}

extension SignInError {
    /// Whether a later attempt may succeed without the person.
    var isRetryable: Bool { [.notConnected, .timedOut, .serverError, .invalidAnswer, .storage].contains(code) }

    static let cancelled = SignInError(.cancelled, "The sign-in was cancelled.")
    static let noDNS = SignInError(.notConnected, "No DNS server answers. Is there a network?")

    static func unreachable(_ host: String, _ error: TransportError) -> SignInError {
        switch error {
        case .timedOut: SignInError(.timedOut, "\(host) didn't answer in time.")
        case .tooLarge: SignInError(.invalidAnswer, "The answer of \(host) is too large.")
        case .unreachable: SignInError(.notConnected, "\(host) can't be reached. Is there a network?")
        }
    }

    /// Returns the error for an error code of RFC 6749: sections 4.1.2.1 and 5.2.
    ///
    /// - Parameter host: The host of the authorization server.
    static func refused(_ name: String?, by host: String) -> SignInError {
        let name = name.flatMap { known($0) }
        switch name {
        case "access_denied":
            return SignInError(.denied, "The access was denied at \(host).", serverCode: name)
        case "invalid_grant":
            return SignInError(.expired, "The sign-in has expired. Sign in again.", serverCode: name)
        case "server_error", "temporarily_unavailable":
            return SignInError(.serverError, "\(host) can't sign in at the moment (\(name ?? "")).", serverCode: name)
        default:
            return SignInError(
                .refused,
                "\(host) refuses the sign-in (\(name ?? "without a reason")).",
                serverCode: name
            )
        }
    }

    /// Returns the name of an error if it has the form that the standards' have. Others aren't shown.
    private static func known(_ name: String) -> String? {
        let isName = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
        return isName && (1...40).contains(name.utf8.count) ? name : nil
    }
}
