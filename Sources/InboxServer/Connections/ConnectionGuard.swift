import Groundwork
import HTTPTypes
import InboxService
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Monitors one connection: counts it, lets TCP detect a lost peer, closes it if a body arrives too slowly, and
/// notifies a stream when its client has disconnected. When the server stops, it waits for no connection longer than
/// the limit.
///
/// If a request is answered before its body has arrived completely, the guard reads and discards the rest, within
/// limits: many clients read the response only after they have sent everything.
///
/// Hummingbird's own idle timeout covers heads and silence between requests.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private let slots: ConnectionSlots
    private let metrics: ServerMetrics
    // All mutable state is accessed only on the channel's event loop.
    private var body: BodyRateCheck?
    private var unreadBody: UnreadBody?
    /// The number of requests that have begun and aren't answered completely.
    private var unanswered = 0
    private var check: Scheduled<Void>?
    private var end: Scheduled<Void>?
    private var isCounted = false
    /// The connection's slot, or nil before it has one and after it is closed.
    private var entry: (slot: ConnectionSlots.Slot, number: Int)?
    /// Whether the connection's request was refused because there are too many connections. Further input is discarded.
    private var isRefused = false
    /// The share of the person's bytes, held until the response has been handed to the system.
    private var share: ByteShare?
    private var hasDisconnected = false
    private var onDisconnect: (isStream: Bool, action: @Sendable (_ isClosed: Bool) -> Void)?

    /// The rest of a body whose request has been answered.
    private struct UnreadBody {
        /// The number of bytes that have been received.
        var received = 0
        /// Closes the connection.
        let deadline: Scheduled<Void>
        /// A close of the output that is delayed until the rest has arrived, since a client may take it for the end of
        /// the connection.
        var closing: (isWanted: Bool, promise: EventLoopPromise<Void>?) = (false, nil)
    }

    init(limits: ConnectionLimits, slots: ConnectionSlots, metrics: ServerMetrics) {
        self.limits = limits
        self.slots = slots
        self.metrics = metrics
    }

    func handlerAdded(context: ChannelHandlerContext) {
        do {
            // The types of requests that reach this handler have no version, and one host.
            let pipeline = context.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(HostCheck(), position: .after(decoder))
        } catch {
            context.close(promise: nil)
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        isCounted = true
        metrics.connectionOpened()
        let channel = context.channel
        entry = slots.acquire { channel.close(promise: nil) }
        guard entry != nil else {
            slots.recordRefusal()
            return context.close(promise: nil)
        }
        for (option, value) in options {
            // Unsupported socket options are ignored.
            context.channel.setOption(option, value: value).whenFailure { _ in }
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isCounted { metrics.connectionClosed() }
        isCounted = false
        if let entry { slots.release(entry.slot, entry.number) }
        entry = nil
        share = nil
        stopChecking()
        endDiscarding(context)
        end?.cancel()
        handleDisconnect(isClosed: true)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            if isRefused { context.close(promise: nil) }
            // A client that has closed its half may still read a response. For a stream, nothing shows whether it does.
            if onDisconnect?.isStream ?? false { context.close(promise: nil) }
            handleDisconnect(isClosed: false)
        } else if event is ChannelShouldQuiesceEvent {
            let limit = TimeAmount.nanoseconds(Int64(limits.shutdownTimeout * 1e9))
            end = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Calls an action when the client closes the connection or its half of it, at once if that has already happened.
    /// The action notifies a stream or the task of a response.
    ///
    /// - Parameter isStream: Whether it is an event stream, which ends with the client's half of the connection.
    ///
    /// No task waits for this: a task for each of thousands of streams would use as much memory as the stream itself.
    static func onDisconnect(
        of channel: any Channel,
        isStream: Bool,
        _ action: @escaping @Sendable (_ isClosed: Bool) -> Void
    ) {
        channel.eventLoop.execute {
            guard let connection = try? channel.pipeline.syncOperations.handler(type: ConnectionGuard.self) else {
                return action(true)
            }
            connection.onDisconnect = (isStream, action)
            if connection.hasDisconnected { connection.handleDisconnect(isClosed: !channel.isActive) }
        }
    }

    /// Removes the action of ``onDisconnect(of:isStream:_:)`` after the stream has ended by itself.
    static func removeDisconnectHandler(of channel: any Channel) {
        channel.eventLoop.execute {
            try? channel.pipeline.syncOperations.handler(type: ConnectionGuard.self).onDisconnect = nil
        }
    }

    /// Holds a share of a person's bytes until all of the next response has been handed to the system, or the
    /// connection is closed.
    ///
    /// A completed write isn't enough: data that the client doesn't read stays in memory.
    static func hold(_ share: ByteShare, untilSentOn channel: any Channel) {
        channel.eventLoop.execute {
            guard channel.isActive else { return }
            try? channel.pipeline.syncOperations.handler(type: ConnectionGuard.self).share = share
        }
    }

    private func handleDisconnect(isClosed: Bool) {
        hasDisconnected = true
        onDisconnect?.action(isClosed)
        // After the client's half is closed, the close of the other half is reported too.
        if isClosed || onDisconnect?.isStream ?? false { onDisconnect = nil }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isRefused { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if isReserved, !ConnectionSlots.isServedBeyondLimit(head.path ?? "") { return refuse(context) }
            unanswered += 1
            body = BodyRateCheck(limits: limits, start: Self.now(context))
        case .body(let bytes):
            body?.receive(bytes.readableBytes)
            if unreadBody != nil { return discard(bytes.readableBytes, context) }
        case .end:
            if let entry, isReserved { slots.setComplete(entry.number, true) }
            stopChecking()
            endDiscarding(context)
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests have arrived completely by now.
        if body != nil, check == nil { checkBodyRate(context) }
        context.fireChannelReadComplete()
        // No handler requests data that is discarded.
        if unreadBody != nil || isRefused { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            unanswered -= 1
            // If another request has already begun, it is read as usual.
            if unanswered == 0, body != nil { beginDiscarding(context) }
            if isReserved || share != nil {
                // Runs once the response has been sent, however long it is.
                let sent = promise ?? context.eventLoop.makePromise()
                sent.futureResult.assumeIsolated().whenComplete { _ in
                    self.share = nil
                    if self.isReserved { self.closeAfterResponse(context) }
                }
                return context.write(data, promise: sent)
            }
        }
        if isReserved, case .head(var head) = unwrapOutboundIn(data) {
            head.headerFields[.connection] = "close"
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output, unreadBody != nil else { return context.close(mode: mode, promise: promise) }
        unreadBody?.closing = (true, promise)
    }

    /// Whether the connection serves only one request.
    private var isReserved: Bool { entry?.slot == .reserved }

    /// Responds that there are too many connections, without involving other handlers.
    private func refuse(_ context: ChannelHandlerContext) {
        isRefused = true
        slots.recordRefusal()
        let problem = Problem(
            .serviceUnavailable,
            "The server has reached its connection limit. Try again in a moment.",
            kind: .overloaded
        )
        let body = ByteBuffer(bytes: problem.json.utf8)
        let head = HTTPResponse(
            status: problem.status,
            headerFields: [
                .contentType: "application/problem+json", .contentLength: String(body.readableBytes),
                .retryAfter: "1", .connection: "close",
            ]
        )
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        closeAfterResponse(context)
        context.read()
    }

    /// Closes the connection after its response has been written: the output at once, and the input a second later, so
    /// that the client can read the response.
    private func closeAfterResponse(_ context: ChannelHandlerContext) {
        if let entry { slots.setComplete(entry.number, false) }
        context.eventLoop.assumeIsolated().execute { context.close(mode: .output, promise: nil) }
        end?.cancel()
        end = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { context.close(promise: nil) }
    }

    private func beginDiscarding(_ context: ChannelHandlerContext) {
        let limit = TimeAmount.nanoseconds(Int64(limits.discardTimeout * 1e9))
        let deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
        unreadBody = UnreadBody(deadline: deadline)
        // Runs after the response's end has been written.
        context.eventLoop.assumeIsolated().execute { if self.unreadBody != nil { context.read() } }
    }

    private func discard(_ bytes: Int, _ context: ChannelHandlerContext) {
        unreadBody?.received += bytes
        if let unreadBody, unreadBody.received > limits.maxDiscardedSize { context.close(promise: nil) }
    }

    /// Ends the discarding after the rest has arrived or the connection has closed.
    private func endDiscarding(_ context: ChannelHandlerContext) {
        guard let unreadBody else { return }
        self.unreadBody = nil
        unreadBody.deadline.cancel()
        if unreadBody.closing.isWanted { context.close(mode: .output, promise: unreadBody.closing.promise) }
        // No other handler may read again, but the client's disconnection has to be noticed.
        context.read()
    }

    private func checkBodyRate(_ context: ChannelHandlerContext) {
        check = nil
        guard let body else { return }
        let now = Self.now(context)
        switch body.verdict(at: now) {
        case .tooSlow: context.close(promise: nil)
        case .fast(let deadline):
            let wait = TimeAmount.nanoseconds(Int64((deadline - now) * 1e9) + 1_000_000)
            check = context.eventLoop.assumeIsolated().scheduleTask(in: wait) { self.checkBodyRate(context) }
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

    /// The socket options: keep-alive for a silent connection, and a time limit for unacknowledged data, which also
    /// applies to a client that has stopped reading.
    private var options: [(ChannelOptions.Types.SocketOption, SocketOptionValue)] {
        var options: [(ChannelOptions.Types.SocketOption, SocketOptionValue)] = [
            (ChannelOptions.socketOption(.so_keepalive), 1)
        ]
        #if os(Linux)
            let seconds = limits.acknowledgementTimeout
            // From the kernel's netinet/tcp.h: TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT, TCP_USER_TIMEOUT (in
            // milliseconds).
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

/// Refuses requests with several `Host` headers, and requests of HTTP/1.1 without one (RFC 9112, section 3.2): a proxy
/// may have taken another one of them than this server. They are answered as bytes that aren't HTTP.
final class HostCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    // Accessed only on the channel's event loop.
    private var hasFailed = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), !hasFailed {
            let count = head.headers["host"].count
            hasFailed = count > 1 || count == 0 && (head.version.major, head.version.minor) >= (1, 1)
            if hasFailed { context.fireErrorCaught(HTTPParserError.invalidHeaderToken) }
        }
        if !hasFailed { context.fireChannelRead(data) }
    }
}
