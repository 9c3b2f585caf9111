import ArgumentParser
import Hummingbird
import Logging
import ServiceLifecycle
import UnixSignals

/// A server with nothing but Hummingbird in it: what a route costs that does no work.
struct BareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "bare", shouldDisplay: false)

    /// About 200 bytes of JSON, both ways.
    struct Small: ResponseCodable {
        var account: String
        var oldState: String
        var newState: String
        var hasMoreChanges: Bool
        var created: [String]
        var updated: [String]
        var destroyed: [String]
    }

    func run() async throws {
        Child.stopWithParent()
        let router = Router(context: BasicRequestContext.self)
        router.post("small") { request, context in
            var small = try await request.decode(as: Small.self, context: context)
            small.newState += "1"
            return small
        }
        // As many bytes as are asked for, ready beforehand.
        router.post("bytes/:count") { request, context in
            _ = try await request.body.collect(upTo: 65_536)
            let count = try context.parameters.require("count", as: Int.self)
            return Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: Self.text.getSlice(at: 0, length: count) ?? ByteBuffer())
            )
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: "bare"),
            onServerRunning: { channel in Child.tell(port: channel.localAddress?.port ?? 0) },
            logger: Child.logger()
        )
        try await application.runService(gracefulShutdownSignals: [.sigterm, .sigint])
    }

    private static let text = ByteBuffer(repeating: UInt8(ascii: "0"), count: 1 << 20)
}
