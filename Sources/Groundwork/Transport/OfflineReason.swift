/// Why nothing can be exchanged with the server at the moment.
public struct OfflineReason: Hashable, Sendable, CustomStringConvertible {
    /// The kind of reason, to decide by. More may come in later versions.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case notConnected, timedOut, serverError, rateLimited, noToken, invalidAnswer, otherProcess,
                storage
        }

        private let value: Value

        /// There is no network, or the server can't be reached in it.
        public static let notConnected = Code(value: .notConnected)
        /// The server didn't answer in time.
        public static let timedOut = Code(value: .timedOut)
        /// The server answered with an error; ``OfflineReason/status`` says which.
        public static let serverError = Code(value: .serverError)
        /// The server asked to wait: there were too many requests.
        public static let rateLimited = Code(value: .rateLimited)
        /// The app's closure threw instead of giving a token. The network may be fine.
        public static let noToken = Code(value: .noToken)
        /// The server's answer can't be read.
        public static let invalidAnswer = Code(value: .invalidAnswer)
        /// Another process keeps the inbox up to date and hasn't answered in time.
        public static let otherProcess = Code(value: .otherProcess)

        /// What the server sent can't be stored on this device: its disk is full, say. It is fetched again.
        public static let storage = Code(value: .storage)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The kind of reason.
    public let code: Code
    /// The HTTP status of the server's answer, where an answer with an error is the reason.
    public let status: Int?
    /// What happened, as a sentence in English. Contains neither tokens nor texts of messages.
    public let description: String

    /// Makes a reason, as for a preview or a test.
    public init(_ code: Code, status: Int? = nil, description: String) {
        self.code = code
        self.status = status
        self.description = description
    }
}
