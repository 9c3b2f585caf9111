import NIOCore
import NIOHTTPTypes

/// Watches one connection: counts it, has TCP notice when nobody is there any more, closes it when a body comes too slowly, and tells
/// a stream when its client has gone. When the server ends, it waits for no connection longer than the limit.
///
/// Where a request is answered before its body has come whole, it reads the rest and throws it away, within limits: many clients read the answer
/// only once they have sent everything.
///
/// Hummingbird's own idle time-out sees to heads and to silence between requests.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private let metrics: Metrics
    // All that changes is touched on the channel's event loop alone.
    private var body: BodyPace?
    private var rest: Rest?
    /// How many requests have begun that aren't answered to the end.
    private var unanswered = 0
    private var check: Scheduled<Void>?
    private var end: Scheduled<Void>?
    private var isCounted = false
    private var hasGone = false
    private var onHangUp: (@Sendable () -> Void)?

    /// The rest of a body whose request has been answered.
    private struct Rest {
        /// How many bytes of it have come.
        var received = 0
        /// Closes the connection.
        let deadline: Scheduled<Void>
        /// That nothing more will be sent waits until the rest has come: a client may take it for the end of everything.
        var closing: (isWanted: Bool, promise: EventLoopPromise<Void>?) = (false, nil)
    }

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
        endRest(context)
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
        case .head:
            unanswered += 1
            body = BodyPace(limits: limits, start: Self.now(context))
        case .body(let bytes):
            body?.receive(bytes.readableBytes)
            if rest != nil { return throwAway(bytes.readableBytes, context) }
        case .end:
            stopChecking()
            endRest(context)
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests have come whole by now.
        if body != nil, check == nil { look(context) }
        context.fireChannelReadComplete()
        // Nobody above asks for what is thrown away.
        if rest != nil { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            unanswered -= 1
            // Another request that has begun already is read as usual.
            if unanswered == 0, body != nil { beginRest(context) }
        }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output, rest != nil else { return context.close(mode: mode, promise: promise) }
        rest?.closing = (true, promise)
    }

    private func beginRest(_ context: ChannelHandlerContext) {
        let limit = TimeAmount.nanoseconds(Int64(limits.restTime * 1e9))
        let deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
        rest = Rest(deadline: deadline)
        // After the answer's end has been written.
        context.eventLoop.assumeIsolated().execute { if self.rest != nil { context.read() } }
    }

    private func throwAway(_ bytes: Int, _ context: ChannelHandlerContext) {
        rest?.received += bytes
        if let rest, rest.received > limits.restSize { context.close(promise: nil) }
    }

    /// The rest has come, or the connection is gone.
    private func endRest(_ context: ChannelHandlerContext) {
        guard let rest else { return }
        self.rest = nil
        rest.deadline.cancel()
        if rest.closing.isWanted { context.close(mode: .output, promise: rest.closing.promise) }
        // Nobody above may ask again, and yet it has to be seen when the client goes.
        context.read()
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
