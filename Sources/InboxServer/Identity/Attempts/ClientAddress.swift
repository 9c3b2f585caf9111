import Hummingbird
import InboxService
import NIOCore

/// The origin of a request, as far as clients can be distinguished: an IPv4 address, or the first 64 bits of an IPv6
/// address, because one client may have all of those.
struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    private let network: IPAddress

    init(_ address: IPAddress) {
        let address = address.unmapped
        network = address.isV4 ? address : address.prefix(64)
    }

    /// For the log.
    var description: String { network.isV4 ? "\(network)" : "\(network)/64" }

    /// That of the request of the backend that is being answered; nil where it came over no socket.
    @TaskLocal static var current: ClientAddress?
}

/// Whose word counts for where a request comes from.
struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// - Parameter texts: Addresses, or ranges of them, such as `10.0.0.0/8`.
    /// - Throws: ``ServerSetupError`` for one that is neither.
    init(_ texts: [String]) throws {
        ranges = try texts.map { text in
            guard let range = AddressRange(text) else {
                throw ServerSetupError(
                    "The trusted proxy \(text) isn't an address, such as 10.0.0.7, nor a range, such as 10.0.0.0/8."
                )
            }
            return range
        }
    }

    private init() { ranges = [] }

    /// The address that a request came from counts, whatever it says.
    static let none = TrustedProxies()

    /// Where a request comes from: the other end of its connection, unless that is a trusted proxy; then the last
    /// address in `X-Forwarded-For` that is none. What isn't an address there ends the search.
    func client(of request: Request, on channel: any Channel) -> ClientAddress? {
        guard var address = channel.remoteAddress.flatMap({ IPAddress($0) }) else { return nil }
        guard !ranges.isEmpty, trust(address) else { return ClientAddress(address) }
        let forwarded = request.headers.filter { $0.name.canonicalName == "x-forwarded-for" }.map(\.value)
        for text in forwarded.joined(separator: ",").split(separator: ",").reversed() {
            guard let next = IPAddress(forwarded: String(text)) else { break }
            address = next
            if !trust(next) { break }
        }
        return ClientAddress(address)
    }

    private func trust(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

extension IPAddress {
    /// That of whoever is at the other end of a connection, as one of IPv4 where it is such a one.
    ///
    /// - Returns: Nil for an address of another kind, such as that of a Unix socket.
    init?(_ address: SocketAddress) {
        guard let address = address.ipAddress.flatMap({ IPAddress($0) }) else { return nil }
        self = address.unmapped
    }

    /// Reads what proxies write: also with a port, and IPv6 in brackets.
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
