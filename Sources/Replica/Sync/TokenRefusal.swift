/// The reason why a server rejected a token, as far as the server states it.
public struct TokenRefusal: Hashable, Sendable, CustomStringConvertible {
    /// The kind of reason, for use in code. Later versions may add kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The raw values are the server's names, which its problem types contain.
        private enum Value: String, CaseIterable {
            case expired
            case notYetValid = "not-yet-valid"
            case withoutSubject = "no-person"
            case invalidSubject = "invalid-person"
            case withoutExpiry = "no-expiry"
            case invalidTime = "invalid-time"
            case unspecified = ""
        }

        private let value: Value

        /// The token has expired. The backend issues a new one.
        public static let expired = Code(value: .expired)
        /// The token isn't valid yet: the clock of the machine that signs tokens is ahead of the server's.
        public static let notYetValid = Code(value: .notYetValid)
        /// The token has no `sub` claim, so it identifies no person.
        public static let withoutSubject = Code(value: .withoutSubject)
        /// The token's `sub` claim isn't a valid person id.
        public static let invalidSubject = Code(value: .invalidSubject)
        /// The token has no `exp` claim, so its lifetime is unlimited.
        public static let withoutExpiry = Code(value: .withoutExpiry)
        /// One of the token's times (`exp`, `nbf`, `iat`) isn't a number of seconds since 1970.
        public static let invalidTime = Code(value: .invalidTime)
        /// The server states no reason, or one that this version doesn't know. ``TokenRefusal/detail`` has its
        /// explanation.
        public static let unspecified = Code(value: .unspecified)

        /// The name of the kind.
        public var description: String { "\(value)" }

        /// Returns the code for a problem type (RFC 9457), by the last part of its path, such as `token-expired`.
        fileprivate static func of(problem type: String?) -> Code {
            guard let name = type?.split(separator: "/", omittingEmptySubsequences: false).last else {
                return .unspecified
            }
            return Value.allCases.map(Code.init(value:)).first { $0.problem == String(name) } ?? .unspecified
        }

        /// The last part of the path of the problem type with which a server states this reason, or nil if there is
        /// none.
        package var problem: String? { value == .unspecified ? nil : "token-\(value.rawValue)" }

        /// The end of the sentence "The server doesn't accept the token: …", or nil if there is no reason.
        fileprivate var clause: String? {
            switch value {
            case .expired: "it has expired"
            case .notYetValid: "it isn't valid yet"
            case .withoutSubject: "it names no person"
            case .invalidSubject: "its person id isn't valid"
            case .withoutExpiry: "it has no expiry time"
            case .invalidTime: "one of its times isn't a number"
            case .unspecified: nil
            }
        }
    }

    /// The kind of reason.
    public let code: Code
    /// The server's explanation in its own words, up to 500 characters. Nil if it gave none.
    public let detail: String?

    /// Creates a refusal, for instance for a preview or a test.
    public init(_ code: Code, detail: String? = nil) {
        self.code = code
        self.detail = detail.map { String($0.prefix(500)) }
    }

    /// - Parameter type: The type of the problem document in the server's 401 response. Nil if there is none.
    package init(problem type: String?, detail: String?) {
        self.init(Code.of(problem: type), detail: detail)
    }

    /// A sentence in English, such as "The server doesn't accept the token: it has expired."
    public var description: String {
        if let clause = code.clause { return "The server doesn't accept the token: \(clause)." }
        return "The server doesn't accept the token."
    }
}
