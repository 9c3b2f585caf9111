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
        let http = HTTPServerBuilder.http1(
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
        guard let identity else { return http }
        return try .tls(http, tlsConfiguration: identity.configuration)
    }
}
