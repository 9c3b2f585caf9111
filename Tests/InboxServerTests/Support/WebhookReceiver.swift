import Crypto
import Eventually
import Foundation
import Groundwork
import Hummingbird
import Logging
import ServiceLifecycle

@testable import InboxServer
@testable import InboxService

/// A real HTTP server that receives webhooks.
final class WebhookReceiver: Sendable {
    /// A received request.
    struct Delivery: Sendable {
        let headers: [String: String]
        let body: String
        /// The request's `Host` header.
        var host = ""

        var json: JSON { (try? JSON(parsing: Array(body.utf8))) ?? .null }
        var id: String { headers["webhook-id"] ?? "" }
        var signatures: [String] { (headers["webhook-signature"] ?? "").split(separator: " ").map(String.init) }

        /// Returns the expected signature, computed as a receiver does.
        func signature(by secret: String) -> String {
            let key = SymmetricKey(data: Data(base64Encoded: String(secret.dropFirst("whsec_".count))) ?? Data())
            let content = "\(id).\(headers["webhook-timestamp"] ?? "").\(body)"
            return "v1,"
                + Data(HMAC<SHA256>.authenticationCode(for: Array(content.utf8), using: key)).base64EncodedString()
        }
    }

    /// A response: a status and some headers, or no response until the test ends.
    enum Reply: Sendable {
        case status(Int, retryAfter: String? = nil, location: String? = nil)
        case silence
    }

    let port: Int
    private let received: Locked<[Delivery]>
    private let reply: Locked<@Sendable (Delivery) -> Reply>
    private let group: ServiceGroup
    private let running: Task<Void, any Error>
    private let gate: AsyncStream<Void>.Continuation

    private init(
        port: Int,
        received: Locked<[Delivery]>,
        reply: Locked<@Sendable (Delivery) -> Reply>,
        group: ServiceGroup,
        running: Task<Void, any Error>,
        gate: AsyncStream<Void>.Continuation
    ) {
        self.port = port
        self.received = received
        self.reply = reply
        self.group = group
        self.running = running
        self.gate = gate
    }

    static func start() async throws -> WebhookReceiver {
        let received = Locked<[Delivery]>([])
        let reply = Locked<@Sendable (Delivery) -> Reply>({ _ in .status(204) })
        let (silence, gate) = AsyncStream<Void>.makeStream()
        let router = Router()
        router.post("/**") { request, _ -> Response in
            var request = request
            let body = try await request.collectBody(upTo: 1 << 20)
            let headers = request.headers.reduce(into: [:]) { $0[$1.name.canonicalName] = $1.value }
            let delivery = Delivery(
                headers: headers,
                body: String(buffer: body),
                host: request.head.authority ?? ""
            )
            received.withLock { $0.append(delivery) }
            switch reply.withLock({ $0 })(delivery) {
            case .status(let code, let retryAfter, let location):
                var headers = HTTPFields()
                headers[.retryAfter] = retryAfter
                headers[.location] = location
                return Response(status: HTTPResponse.Status(code: code), headers: headers)
            case .silence:
                for await _ in silence {}
                return Response(status: .ok)
            }
        }
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: "receiver")
        logger.logLevel = .error
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) },
            logger: logger
        )
        let group = ServiceGroup(services: [application], logger: logger)
        let running = Task {
            defer { continuation.finish() }
            try await group.run()
        }
        for await port in ports {
            return WebhookReceiver(
                port: port,
                received: received,
                reply: reply,
                group: group,
                running: running,
                gate: gate
            )
        }
        throw CancellationError()
    }

    var url: String { "http://127.0.0.1:\(port)/hook" }
    var hosts: [String] { deliveries.map(\.host) }
    var deliveries: [Delivery] { received.withLock { $0 } }

    func answer(_ reply: @escaping @Sendable (Delivery) -> Reply) {
        self.reply.withLock { $0 = reply }
    }

    /// Returns the deliveries, once there are at least `count`.
    func deliveries(_ count: Int) async throws -> [Delivery] {
        _ = try await eventually { self.deliveries.count >= count }
        return deliveries
    }

    func stop() async throws {
        gate.finish()
        await group.triggerGracefulShutdown()
        try await running.value
    }
}

extension TestServer {
    /// Creates a webhook.
    func addWebhook(_ url: String, _ types: [String] = ["*"]) async throws -> (id: String, secret: String) {
        let answer = try await rest("POST", "/v1/webhooks", ["url": .string(url), "types": JSON(types)])
        guard let id = answer.json["id"]?.stringValue, let secret = answer.json["secret"]?.stringValue else {
            throw UnexpectedResponse(answer: String(decoding: answer.bytes, as: UTF8.self))
        }
        return (id, secret)
    }

    func webhook(_ id: String) async throws -> JSON {
        try await rest("GET", "/v1/webhooks/\(id)").json
    }
}

/// Runs a test with a server and a receiver, and stops both afterwards.
func withReceiver(
    clock: any WallClock = ManualClock(),
    configure: (inout InboxServerConfiguration) -> Void = { _ in },
    _ body: (TestServer, WebhookReceiver) async throws -> Void
) async throws {
    let receiver = try await WebhookReceiver.start()
    do {
        try await withServer(clock: clock, configure: configure) { server in try await body(server, receiver) }
    } catch {
        try await receiver.stop()
        throw error
    }
    try await receiver.stop()
}
