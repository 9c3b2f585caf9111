import ArgumentParser
import Foundation
import Groundwork
import Hummingbird
import Logging
import ServiceLifecycle
import UnixSignals

/// A server that contains only Hummingbird. It measures the cost of a route that does no work.
struct BareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "bare", shouldDisplay: false)

    /// About 200 bytes of JSON, as request and response.
    struct Small: ResponseCodable {
        var account: String
        var oldState: String
        var newState: String
        var hasMoreChanges: Bool
        var created: [String]
        var updated: [String]
        var destroyed: [String]
    }

    /// The database into which ``/send`` inserts, or nil without that route.
    @Option var database: String?

    func run() async throws {
        Child.stopWithParent()
        let router = Router(context: BasicRequestContext.self)
        if let database {
            let inserts = try GroupedInserts(URL(fileURLWithPath: database))
            router.post("send") { request, context in
                let small = try await request.decode(as: Small.self, context: context)
                try await inserts.insert()
                return small
            }
        }
        router.post("small") { request, context in
            var small = try await request.decode(as: Small.self, context: context)
            small.newState += "1"
            return small
        }
        // Returns the requested number of bytes, which are prepared in advance.
        router.post("bytes/:count") { request, context in
            _ = try await request.body.collect(upTo: 65_536)
            let count = try context.parameters.require("count", as: Int.self)
            return Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: Self.text.getSlice(at: 0, length: count) ?? ByteBuffer())
            )
        }
        // A stream for each client, and a request that notifies all streams.
        let listeners = Listeners()
        router.get("stream") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    let (number, signals) = listeners.add()
                    defer { listeners.remove(number) }
                    try await writer.write(ByteBuffer(string: ":\n\n"))
                    for await _ in signals { try await writer.write(ByteBuffer(string: Self.event)) }
                    try await writer.finish(nil)
                }
            )
        }
        router.post("notify") { request, _ in
            _ = try await request.body.collect(upTo: 65_536)
            listeners.notify()
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "{}")))
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: "bare"),
            onServerRunning: { channel in Child.report(port: channel.localAddress?.port ?? 0) },
            logger: Child.logger()
        )
        try await application.runService(gracefulShutdownSignals: [.sigterm, .sigint])
    }

    private static let event = """
        id: 10000-1
        event: state
        data: {"@type":"StateChange","changed":{"a0123456789abcdefghjkmnpqrs":{"InboxMessage":"10000-1"}}}


        """
    private static let text = ByteBuffer(repeating: UInt8(ascii: "0"), count: 1 << 20)
}

/// The listeners of the bare stream.
private final class Listeners: Sendable {
    private let all = Locked<(last: Int, continuations: [Int: AsyncStream<Void>.Continuation])>((0, [:]))

    func add() -> (number: Int, signals: AsyncStream<Void>) {
        let (signals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = all.withLock { all in
            all.last += 1
            all.continuations[all.last] = continuation
            return all.last
        }
        return (number, signals)
    }

    func remove(_ number: Int) {
        all.withLock { _ = $0.continuations.removeValue(forKey: number) }
    }

    func notify() {
        all.withLock { all in
            for continuation in all.continuations.values { continuation.yield() }
        }
    }
}
