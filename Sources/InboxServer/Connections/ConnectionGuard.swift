import NIOCore
import NIOHTTPTypes

/// Watches one connection: counts it, has TCP notice when nobody is there any more, closes it when a body comes too slowly, and tells
/// a stream when its client has gone. When the server ends, it waits for no connection longer than the limit.
///
/// Hummingbird's own idle time-out sees to heads and to silence between requests.
final class ConnectionGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let limits: ConnectionLimits
    private let metrics: Metrics
    // All that changes is touched on the channel's event loop alone.
    private var body: BodyPace?
    private var check: Scheduled<Void>?
    private var end: Scheduled<Void>?
    private var isCounted = false
    private var hasGone = false
    private var onHangUp: (@Sendable () -> Void)?

    init(limits: ConnectionLimits, metrics: Metrics) {
        self.limits = limits
        self.metrics = metrics
    }

    func channelActive(context: ChannelHandlerContext) {
        isCounted = true
        metrics.connections.add(1)
        for (option, value) in options {
            // A system that knows an option not goes on without it.
            context.channel.setOption(option, value: value).whenFailure { _ in }
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isCounted { metrics.connections.add(-1) }
        isCounted = false
        stopChecking()
        end?.cancel()
        hangUp()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            // Somebody who has said that they send no more may still read an answer, but of a stream nobody tells whether they do.
            if onHangUp != nil { context.close(promise: nil) }
            hangUp()
        } else if event is ChannelShouldQuiesceEvent {
            let limit = TimeAmount.nanoseconds(Int64(limits.stop * 1e9))
            end = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Has a stream told when its client closes the connection, or its half of it. Told at once where that has happened.
    ///
    /// Nothing waits meanwhile: a task for each of thousands of streams would take as much memory as the stream itself.
    static func onHangUp(of channel: any Channel, _ action: @escaping @Sendable () -> Void) {
        channel.eventLoop.execute {
            guard let connection = try? channel.pipeline.syncOperations.handler(type: ConnectionGuard.self) else {
                return action()
            }
            connection.onHangUp = action
            if connection.hasGone { connection.hangUp() }
        }
    }

    /// Ends what ``onHangUp(of:_:)`` began: the stream has ended by itself.
    static func forgetHangUp(of channel: any Channel) {
        channel.eventLoop.execute {
            try? channel.pipeline.syncOperations.handler(type: ConnectionGuard.self).onHangUp = nil
        }
    }

    private func hangUp() {
        hasGone = true
        onHangUp?()
        onHangUp = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: body = BodyPace(limits: limits, start: Self.now(context))
        case .body(let bytes): body?.receive(bytes.readableBytes)
        case .end: stopChecking()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests have come whole by now.
        if body != nil, check == nil { look(context) }
        context.fireChannelReadComplete()
    }

    private func look(_ context: ChannelHandlerContext) {
        check = nil
        guard let body else { return }
        let now = Self.now(context)
        switch body.verdict(at: now) {
        case .tooSlow: context.close(promise: nil)
        case .fast(let deadline):
            let wait = TimeAmount.nanoseconds(Int64((deadline - now) * 1e9) + 1_000_000)
            check = context.eventLoop.assumeIsolated().scheduleTask(in: wait) { self.look(context) }
        }
    }

    private func stopChecking() {
        body = nil
        check?.cancel()
        check = nil
    }

    private static func now(_ context: ChannelHandlerContext) -> Double {
        Double(context.eventLoop.now.uptimeNanoseconds) / 1e9
    }

    /// Keep-alive for a silent connection, and a limit to what waits for an acknowledgement: also for a reader who stopped reading.
    private var options: [(ChannelOptions.Types.SocketOption, SocketOptionValue)] {
        var options: [(ChannelOptions.Types.SocketOption, SocketOptionValue)] = [
            (ChannelOptions.socketOption(.so_keepalive), 1)
        ]
        #if os(Linux)
            let seconds = limits.unreachable
            // From the kernel's netinet/tcp.h: TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT, TCP_USER_TIMEOUT (in milliseconds).
            let tcp = [(4, seconds), (5, max(1, seconds / 4)), (6, 4), (18, seconds * 1_000)]
            options += tcp.map { name, value in
                (
                    ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: CInt(name))),
                    SocketOptionValue(value)
                )
            }
        #endif
        return options
    }
}
