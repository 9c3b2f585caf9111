import HummingbirdCore
import HummingbirdTLS
import NIOCore

extension HTTPServerBuilder {
    /// Returns an HTTP/1.1 server with the limits, over TLS if there is an identity.
    static func inbox(
        limits: ConnectionLimits,
        slots: ConnectionSlots,
        identity: TLSIdentity?,
        metrics: ServerMetrics
    ) throws -> HTTPServerBuilder {
        let tls = try identity?.configuration
        return HTTPServerBuilder { responder in
            let http = HTTP1Channel(
                responder: responder,
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [ConnectionGuard(limits: limits, slots: slots, metrics: metrics)],
                    idleTimeout: .nanoseconds(Int64(limits.idle * 1e9)),
                    httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                        maxHeaderFieldSize: limits.headSize,
                        maxHeaderListSize: limits.headSize,
                        maxHeaderFieldCount: 100
                    )
                )
            )
            guard let tls else { return EventLoopChannel(base: http) }
            return EventLoopChannel(base: try TLSChannel(http, tlsConfiguration: tls))
        }
    }
}
