import NIOCore
import NIOHTTP1

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
