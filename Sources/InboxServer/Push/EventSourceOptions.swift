import Hummingbird
import InboxModel

/// How a client wants to hear of changes (RFC 8620 §7.3).
struct EventSourceOptions: Sendable {
    /// Whether it wants to hear of messages at all.
    let includesMessages: Bool
    /// Whether it wants to hear of the settings of surfaces.
    let includesSurfaces: Bool
    let closesAfterState: Bool
    /// Seconds of silence after which a ping is sent; nil for never.
    let pingInterval: Int?

    private static let pingIntervals = 5...300

    /// - Throws: ``Problem`` 400 for a parameter that isn't what the RFC allows. One that is left out has its mildest
    ///   value.
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
