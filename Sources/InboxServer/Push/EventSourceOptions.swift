import Hummingbird
import InboxModel

/// The parameters of an event source request (RFC 8620, section 7.3).
struct EventSourceOptions: Sendable {
    /// Whether the client requests changes of messages.
    let includesMessages: Bool
    /// Whether the client requests changes of surfaces' settings.
    let includesSurfaces: Bool
    let closesAfterState: Bool
    /// The seconds of silence after which a ping is sent, or nil for no pings.
    let pingInterval: Int?

    private static let pingIntervals = 5...300

    /// - Throws: ``Problem`` 400 for an invalid parameter. A missing parameter has its default: all types, `no` and no
    ///   pings.
    init(_ request: Request) throws {
        let parameters = request.uri.queryParameters
        let types = parameters.get("types") ?? "*"
        func includes(_ type: String) -> Bool { types == "*" || types.split(separator: ",").contains { $0 == type } }
        includesMessages = includes(MessageCapability.messageType)
        includesSurfaces = includes(MessageCapability.surfaceType)
        switch parameters.get("closeafter") ?? "no" {
        case "state": closesAfterState = true
        case "no": closesAfterState = false
        default: throw Problem(.badRequest, "closeafter has to be state or no.")
        }
        guard let ping = Int(parameters.get("ping") ?? "0"), ping >= 0 else {
            throw Problem(.badRequest, "ping has to be a number of seconds.")
        }
        pingInterval = ping == 0 ? nil : min(max(ping, Self.pingIntervals.lowerBound), Self.pingIntervals.upperBound)
    }
}
