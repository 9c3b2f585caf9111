/// The reason why the server can't be reached at the moment.
public struct OfflineReason: Hashable, Sendable, CustomStringConvertible {
    /// The kind of reason, for use in code. Later versions may add kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case notConnected, timedOut, serverError, rateLimited, noToken, invalidAnswer, otherProcess,
                storage
        }

        private let value: Value

        /// There is no network, or the server can't be reached on it.
        public static let notConnected = Code(value: .notConnected)
        /// The server didn't respond in time.
        public static let timedOut = Code(value: .timedOut)
        /// The server responded with an error, whose status is ``OfflineReason/status``.
        public static let serverError = Code(value: .serverError)
        /// The server limits the rate of requests and asked the client to wait.
        public static let rateLimited = Code(value: .rateLimited)
        /// The app's closure threw an error instead of returning a token. The network may be available.
        public static let noToken = Code(value: .noToken)
        /// The server's response can't be decoded.
        public static let invalidAnswer = Code(value: .invalidAnswer)
        /// Another process syncs the same records and didn't respond in time.
        public static let otherProcess = Code(value: .otherProcess)

        /// The server's data can't be stored on this device, for instance because its disk is full. It will be fetched
        /// again.
        public static let storage = Code(value: .storage)

        /// The name of the kind.
        public var description: String { value.rawValue }
    }

    /// The kind of reason.
    public let code: Code
    /// The HTTP status of the server's response, if an error response is the reason.
    public let status: Int?
    /// The explanation, a sentence in English. It contains neither tokens nor texts of messages.
    public let description: String

    /// Creates a reason, for instance for a preview or a test.
    public init(_ code: Code, status: Int? = nil, description: String) {
        self.code = code
        self.status = status
        self.description = description
    }
}
