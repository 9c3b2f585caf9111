public import Foundation

/// Carries HTTP requests: the system's own, or in a test one that loses, delays and repeats as it is told.
public protocol Transport: Sendable {
    /// Sends a request and waits for the whole answer.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - maxBytes: How large the answer's body may be.
    /// - Throws: ``TransportError``, or `CancellationError` when the task is cancelled. An answer of any status is no
    ///   error.
    func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse

    /// Sends a request whose answer goes on arriving, such as an event stream.
    ///
    /// - Throws: ``TransportError``, or `CancellationError` when the task is cancelled.
    func stream(_ request: TransportRequest) async throws -> TransportStream
}

/// An HTTP request.
public struct TransportRequest: Hashable, Sendable {
    /// Such as `GET`, in capitals.
    public var method: String
    /// Where it goes.
    public var url: URL
    /// Header fields by name.
    public var headers: [String: String]
    /// What it carries; nil for nothing.
    public var body: [UInt8]?

    /// Makes a request.
    public init(method: String = "GET", url: URL, headers: [String: String] = [:], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// A whole HTTP answer.
public struct TransportResponse: Hashable, Sendable {
    /// The status code, such as 200.
    public var status: Int
    /// Header fields by name in lower case.
    public var headers: [String: String]
    /// What it carries.
    public var body: [UInt8]
    /// Where it came from in the end, after redirects.
    public var url: URL

    /// Makes an answer.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], url: URL) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }
}

/// An HTTP answer whose body goes on arriving.
public struct TransportStream: Sendable {
    /// The status code, such as 200.
    public var status: Int
    /// Header fields by name in lower case.
    public var headers: [String: String]
    /// The body's pieces, as they arrive. Ends with the answer; giving it up closes the connection.
    public var body: AsyncThrowingStream<[UInt8], any Error>

    /// Makes an answer whose body is still to come.
    public init(status: Int, headers: [String: String] = [:], body: AsyncThrowingStream<[UInt8], any Error>) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A request that got no answer.
public enum TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server can't be reached, or the connection broke; with the system's reason.
    case unreachable(String)
    /// No answer within the deadline, in seconds.
    case timedOut(after: Double)
    /// The answer is larger than may be, in bytes.
    case tooLarge(limit: Int)

    /// What went wrong, as a sentence.
    public var description: String {
        switch self {
        case .unreachable(let reason): "The server can't be reached: \(reason)"
        case .timedOut(let seconds): "The server didn't answer within \(Int(seconds)) s."
        case .tooLarge(let limit): "The server's answer is larger than \(limit) bytes."
        }
    }
}
