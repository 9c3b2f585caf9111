/// Why a server doesn't take a token, as far as it says.
public struct TokenRefusal: Hashable, Sendable, CustomStringConvertible {
    /// The reason, to decide by. More may come in later versions.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The server's names for them, by which its problem documents tell them.
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

        /// The token's time is over: the backend gives a new one.
        public static let expired = Code(value: .expired)
        /// The token's time hasn't come: the clock of the machine that signs tokens is ahead of the server's.
        public static let notYetValid = Code(value: .notYetValid)
        /// The token names no person (`sub`).
        public static let withoutSubject = Code(value: .withoutSubject)
        /// What the token has as `sub` can't be a person's id.
        public static let invalidSubject = Code(value: .invalidSubject)
        /// The token doesn't say until when it holds (`exp`).
        public static let withoutExpiry = Code(value: .withoutExpiry)
        /// One of the token's times (`exp`, `nbf`, `iat`) isn't a number of seconds since 1970.
        public static let invalidTime = Code(value: .invalidTime)
        /// The server gives no reason, or one that this version doesn't know; ``TokenRefusal/detail`` has its
        /// explanation.
        public static let unspecified = Code(value: .unspecified)

        /// The code's name.
        public var description: String { "\(value)" }

        /// The code for a problem's type (RFC 9457), such as `https://swift-inbox.example/problems/token-expired`.
        fileprivate static func of(problem type: String?) -> Code {
            let known = Value.allCases.map(Code.init(value:)).first { $0.problem == type && type != nil }
            return known ?? .unspecified
        }

        /// The type of the problem with which a server gives this reason; nil for none.
        package var problem: String? {
            value == .unspecified ? nil : "https://swift-inbox.example/problems/token-\(value.rawValue)"
        }

        /// The rest of "the server doesn't accept the token: …"; nil where there is no reason.
        fileprivate var clause: String? {
            switch value {
            case .expired: "it has expired"
            case .notYetValid: "it isn't valid yet"
            case .withoutSubject: "it names no person"
            case .invalidSubject: "it names nobody who could have an inbox"
            case .withoutExpiry: "it doesn't say when it expires"
            case .invalidTime: "one of its times isn't a number"
            case .unspecified: nil
            }
        }
    }

    /// The reason.
    public let code: Code
    /// The server's explanation, in its own words, up to 500 characters; nil where it gave none.
    public let detail: String?

    /// Makes a refusal, as for a preview or a test.
    public init(_ code: Code, detail: String? = nil) {
        self.code = code
        self.detail = detail.map { String($0.prefix(500)) }
    }

    /// - Parameter type: The type of the problem document with which the server answers 401; nil for an answer without.
    package init(problem type: String?, detail: String?) {
        self.init(Code.of(problem: type), detail: detail)
    }

    /// A sentence in English, such as "The server doesn't accept the token: it has expired."
    public var description: String {
        if let clause = code.clause { return "The server doesn't accept the token: \(clause)." }
        return "The server doesn't accept the token."
    }
}
