/// Why a server doesn't take a token, as far as it says.
public struct TokenRefusal: Hashable, Sendable, CustomStringConvertible {
    /// The reason, to decide by. More may come in later versions.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String { case expired, notYetValid, withoutSubject, withoutExpiry, unspecified }

        private let value: Value

        /// The token's time is over: the backend gives a new one.
        public static let expired = Code(value: .expired)
        /// The token's time hasn't come: the clock of the machine that signs tokens is ahead of the server's.
        public static let notYetValid = Code(value: .notYetValid)
        /// The token names no person (`sub`).
        public static let withoutSubject = Code(value: .withoutSubject)
        /// The token doesn't say until when it holds (`exp`).
        public static let withoutExpiry = Code(value: .withoutExpiry)
        /// The server gives no reason, or one that this version doesn't know; ``TokenRefusal/detail`` has its explanation.
        public static let unspecified = Code(value: .unspecified)

        /// The code's name.
        public var description: String { value.rawValue }

        /// The code for a problem's type (RFC 9457), such as `https://swift-inbox.example/problems/token-expired`.
        fileprivate static func of(problem type: String?) -> Code {
            let known: [Code] = [.expired, .notYetValid, .withoutSubject, .withoutExpiry]
            return type.flatMap { type in known.first { $0.problem == type } } ?? .unspecified
        }

        /// The type of the problem with which a server gives this reason; nil for none.
        package var problem: String? {
            let name: String? =
                switch value {
                case .expired: "token-expired"
                case .notYetValid: "token-not-yet-valid"
                case .withoutSubject: "token-without-subject"
                case .withoutExpiry: "token-without-expiry"
                case .unspecified: nil
                }
            return name.map { "https://swift-inbox.example/problems/\($0)" }
        }

        /// The rest of "the server doesn't accept the token: …"; nil where there is no reason.
        fileprivate var clause: String? {
            switch value {
            case .expired: "it has expired"
            case .notYetValid: "it isn't valid yet"
            case .withoutSubject: "it names no person"
            case .withoutExpiry: "it doesn't say when it expires"
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
