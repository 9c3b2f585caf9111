import AsyncHTTPClient
import Foundation
public import Groundwork
import NIOCore
import NIOHTTP1

/// A transport over AsyncHTTPClient, for Linux.
///
/// There, Foundation's `URLSession` ends the process if a server or a network closes a connection within the header of
/// a response (swift-corelibs-foundation, issue 5285). This transport throws ``TransportError/unreachable(_:)``.
///
///     var configuration = InboxConfiguration()
///     configuration.transport = HTTPClientTransport()
///
/// Redirects within the origin are followed, at most ten; one to another origin is an error that states the target. The
/// proxies of the environment are used as curl does (`https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`).
public struct HTTPClientTransport: Transport {
    private let proxies: ProxySettings
    private let followsRedirects: Bool

    /// Creates a transport. All of a process share their connections.
    ///
    /// - Parameter followsRedirects: Whether redirects within the origin are followed. Otherwise the redirect itself is
    ///   the response, as signing in requires.
    public init(followsRedirects: Bool = true) {
        proxies = ProxySettings(ProcessInfo.processInfo.environment)
        self.followsRedirects = followsRedirects
    }

    private static let maxRedirects = 10

    /// Sends a request and returns the complete response.
    ///
    /// - Throws: ``TransportError``: `unreachable`, or `tooLarge` for a body of more than `maxBytes`.
    ///   `CancellationError` if the task is cancelled.
    public func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        let (response, url) = try await start(request)
        var body: [UInt8] = []
        do {
            for try await piece in response.body {
                guard body.count + piece.readableBytes <= maxBytes else {
                    throw TransportError.tooLarge(limit: maxBytes)
                }
                body += piece.readableBytesView
            }
        } catch {
            throw failure(error, url)
        }
        try Task.checkCancellation()
        return TransportResponse(
            status: Int(response.status.code),
            headers: Self.headers(response),
            body: body,
            url: url
        )
    }

    /// Sends a request and returns a response whose body is streamed.
    ///
    /// - Throws: ``TransportError`` `unreachable`, also from the body. `CancellationError` if the task is cancelled.
    public func stream(_ request: TransportRequest) async throws -> TransportStream {
        let (response, url) = try await start(request)
        let (body, pieces) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        let reader = Task {
            do {
                for try await piece in response.body { pieces.yield([UInt8](piece.readableBytesView)) }
                pieces.finish()
            } catch {
                pieces.finish(throwing: failure(error, url))
            }
        }
        pieces.onTermination = { _ in reader.cancel() }
        return TransportStream(status: Int(response.status.code), headers: Self.headers(response), body: body)
    }

    /// Sends a request, follows its redirects, and returns the response's head and the final URL.
    private func start(_ request: TransportRequest) async throws -> (response: HTTPClientResponse, url: URL) {
        var request = request
        for _ in 0...Self.maxRedirects {
            let response = try await execute(request)
            guard followsRedirects, let target = Self.target(of: response, request.url) else {
                return (response, request.url)
            }
            guard target.hasSameOrigin(as: request.url) else {
                throw TransportError.unreachable(
                    "it redirects to \(target.absoluteString), on another server. Use that URL instead."
                )
            }
            request.url = target
            // As browsers do (Fetch, "HTTP-redirect fetch").
            let isPost = request.method == "POST" && [301, 302].contains(response.status.code)
            if isPost || (response.status.code == 303 && request.method != "HEAD") {
                (request.method, request.body) = ("GET", nil)
            }
        }
        throw TransportError.unreachable("it redirects without an end.")
    }

    private func execute(_ request: TransportRequest) async throws -> HTTPClientResponse {
        var message = HTTPClientRequest(url: request.url.absoluteString)
        message.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.headers { message.headers.replaceOrAdd(name: name, value: value) }
        if !message.headers.contains(name: "Accept-Encoding") {
            message.headers.add(name: "Accept-Encoding", value: "gzip, deflate")
        }
        if let body = request.body {
            if let listener = SendProgress.listener {
                message.body = .stream(ReportedBody(bytes: body, didSend: listener), length: .known(Int64(body.count)))
            } else {
                message.body = .bytes(ByteBuffer(bytes: body))
            }
        }
        do {
            // Callers set deadlines.
            return try await proxies.client(for: request.url).execute(message, deadline: .distantFuture)
        } catch {
            throw failure(error, request.url)
        }
    }

    /// The target of a redirect; nil if a response isn't one.
    private static func target(of response: HTTPClientResponse, _ url: URL) -> URL? {
        guard [301, 302, 303, 307, 308].contains(response.status.code) else { return nil }
        return response.headers.first(name: "Location").flatMap { URL(string: $0, relativeTo: url) }?.absoluteURL
    }

    private static func headers(_ response: HTTPClientResponse) -> [String: String] {
        Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
    }

    private func failure(_ error: any Error, _ url: URL) -> any Error {
        switch error {
        case is CancellationError, is TransportError: error
        case let error as HTTPClientError where error == .cancelled: CancellationError()
        default:
            TransportError.unreachable(ConnectionFailure(url: url, proxy: proxies.proxy(for: url)).text(of: error))
        }
    }
}

/// The body of a request in pieces, which reports how much of it was taken by the connection.
struct ReportedBody: AsyncSequence, Sendable {
    let bytes: [UInt8]
    let didSend: SendProgress

    private static let pieceSize = 65_536

    struct Iterator: AsyncIteratorProtocol {
        let body: ReportedBody
        var sent = 0

        mutating func next() async -> ByteBuffer? {
            // The piece before was taken.
            if sent > 0 { body.didSend(sent) }
            guard sent < body.bytes.count else { return nil }
            let end = Swift.min(sent + ReportedBody.pieceSize, body.bytes.count)
            defer { sent = end }
            return ByteBuffer(bytes: body.bytes[sent..<end])
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }
}
