public import Foundation

/// A type that sends HTTP requests: over the network, or in tests with scripted losses, delays and repetitions.
public protocol Transport: Sendable {
    /// Sends a request and returns the complete response.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - maxBytes: The maximum size of the response's body in bytes.
    /// - Throws: ``TransportError``, or `CancellationError` if the task is cancelled. A response with an error status
    ///   is returned, not thrown.
    func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse

    /// Sends a request and returns a response whose body is streamed, such as an event stream.
    ///
    /// - Throws: ``TransportError``, or `CancellationError` if the task is cancelled.
    func stream(_ request: TransportRequest) async throws -> TransportStream
}

/// An HTTP request.
public struct TransportRequest: Hashable, Sendable {
    /// The method in capitals, such as `GET`.
    public var method: String
    /// The URL.
    public var url: URL
    /// The header fields by name.
    public var headers: [String: String]
    /// The body, or nil if there is none.
    public var body: [UInt8]?

    /// Creates a request.
    public init(method: String = "GET", url: URL, headers: [String: String] = [:], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The listener to the progress of requests' bodies as they are sent.
///
/// A transport that observes its progress calls ``listener``. Others, such as an app's own, report nothing.
package struct SendProgress: Sendable {
    /// The listener of the current task. A value around the closure, since optimised code can't find the type of a
    /// closure in a `TaskLocal` (Swift 6.3).
    @TaskLocal package static var listener: SendProgress?

    private let report: @Sendable (_ sent: Int) -> Void

    /// - Parameter report: Receives the number of bytes of a body that are sent so far. It is called from any thread. A
    ///   repeated request begins again.
    package init(_ report: @escaping @Sendable (_ sent: Int) -> Void) { self.report = report }

    /// Reports the number of bytes that are sent so far.
    package func callAsFunction(_ sent: Int) { report(sent) }
}

/// A complete HTTP response.
public struct TransportResponse: Hashable, Sendable {
    /// The status code, such as 200.
    public var status: Int
    /// The header fields by lower-case name.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]
    /// The final URL, after redirects.
    public var url: URL

    /// Creates a response.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], url: URL) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }
}

/// An HTTP response whose body is streamed.
public struct TransportStream: Sendable {
    /// The status code, such as 200.
    public var status: Int
    /// The header fields by lower-case name.
    public var headers: [String: String]
    /// The chunks of the body, as they arrive. The stream ends with the response. Abandoning it closes the connection.
    public var body: AsyncThrowingStream<[UInt8], any Error>

    /// Creates a response whose body follows.
    public init(status: Int, headers: [String: String] = [:], body: AsyncThrowingStream<[UInt8], any Error>) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A failure of a request that received no complete response.
public enum TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server can't be reached, or the connection broke. The associated value is the system's explanation.
    case unreachable(String)
    /// There was no response within the deadline, in seconds.
    case timedOut(after: Double)
    /// The response is larger than the limit, in bytes.
    case tooLarge(limit: Int)

    /// The explanation, as a sentence.
    public var description: String {
        switch self {
        case .unreachable(let reason): "The server can't be reached: \(reason)"
        case .timedOut(let seconds): "The server didn't answer within \(Int(seconds)) s."
        case .tooLarge(let limit): "The server's answer is larger than \(limit) bytes."
        }
    }
}
