import Groundwork
import Hummingbird
import NIOCore

/// The address of a client, as precise as clients can be distinguished: an IPv4 address, or the first 64 bits of an
/// IPv6 address, since one client may have all addresses with that prefix.
struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    private let network: IPAddress

    init(_ address: IPAddress) {
        let address = address.unmapped
        network = address.isV4 ? address : address.prefix(64)
    }

    /// The description for the log.
    var description: String { network.isV4 ? "\(network)" : "\(network)/64" }

    /// The client of the backend's request that is being answered, or nil if it didn't come over a socket.
    @TaskLocal static var current: ClientAddress?
}

/// The proxies whose `X-Forwarded-For` header is trusted.
struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// - Parameter texts: Addresses, or ranges such as `10.0.0.0/8`.
    /// - Throws: ``ServerSetupError`` for a text that is neither.
    init(_ texts: [String]) throws {
        ranges = try texts.map { text in
            guard let range = AddressRange(text) else {
                throw ServerSetupError(
                    """
                    The trusted proxy \(text) is neither an address, such as 10.0.0.7, nor a range, such as \
                    10.0.0.0/8.
                    """
                )
            }
            return range
        }
    }

    private init() { ranges = [] }

    /// No trusted proxies: the client is always the peer of the connection.
    static let none = TrustedProxies()

    /// Returns the client of a request. This is the connection's peer unless that is a trusted proxy. Then it is the
    /// last address in `X-Forwarded-For` that isn't a trusted proxy; the search ends at an entry that isn't an address.
    func client(of request: Request, on channel: any Channel) -> ClientAddress? {
        guard var address = channel.remoteAddress.flatMap({ IPAddress($0) }) else { return nil }
        guard !ranges.isEmpty, isTrusted(address) else { return ClientAddress(address) }
        let forwarded = request.headers.filter { $0.name.canonicalName == "x-forwarded-for" }.map(\.value)
        for text in forwarded.joined(separator: ",").split(separator: ",").reversed() {
            guard let next = IPAddress(forwarded: String(text)) else { break }
            address = next
            if !isTrusted(next) { break }
        }
        return ClientAddress(address)
    }

    private func isTrusted(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

extension IPAddress {
    /// Creates the address of a connection's peer. An IPv4-mapped address becomes its IPv4 address.
    ///
    /// Returns nil for another kind of address, such as a Unix socket's.
    init?(_ address: SocketAddress) {
        guard let address = address.ipAddress.flatMap({ IPAddress($0) }) else { return nil }
        self = address.unmapped
    }

    /// Parses an entry of a proxy's header, which may have a port, and brackets around an IPv6 address.
    init?(forwarded text: String) {
        var text = text.filter { $0 != " " && $0 != "\t" }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = String(text[text.index(after: text.startIndex)..<end])
        } else if let colon = text.firstIndex(of: ":"), text.contains("."), text.lastIndex(of: ":") == colon {
            text = String(text[..<colon])
        }
        guard let address = IPAddress(text) else { return nil }
        self = address.unmapped
    }
}
