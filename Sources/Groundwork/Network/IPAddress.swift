import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The 4 or 16 bytes, in network order.
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Parses an address as `inet_pton` does: IPv4 as four decimal numbers, IPv6 without brackets and zone. Returns nil
    /// for any other text.
    package init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(bytes: Array(bytes.prefix(4)))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    package var description: String { text }

    /// The text that `inet_ntop` returns.
    package var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether the address is publicly routable.
    ///
    /// The special-purpose addresses (RFC 6890) aren't public: private, loopback, link-local, unique-local, shared
    /// (CGNAT), multicast, unspecified, reserved and documentation addresses. Neither is any IPv6 address that embeds
    /// an IPv4 address (mapped, NAT64, 6to4, Teredo), whatever the embedded address.
    package var isPublic: Bool {
        guard bytes.count == 16 else { return !Self.special.contains { $0.contains(self) } }
        // 2000::/3 is the only part of IPv6 that is allocated (RFC 4291 §2.4).
        return bytes[0] & 0xE0 == 0x20 && !Self.special.contains { $0.contains(self) }
    }

    package var isV4: Bool { bytes.count == 4 }

    /// Whether this is a loopback address (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3), IPv4-mapped ones
    /// included.
    package var isLoopback: Bool {
        let bytes = unmapped.bytes
        return bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    /// The IPv4 address of an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2). Any other address is returned unchanged.
    package var unmapped: IPAddress {
        bytes.starts(with: Self.mapped) ? IPAddress(bytes: Array(bytes.suffix(4))) : self
    }

    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    /// Returns the address with all bits after the first `bits` set to zero.
    package func prefix(_ bits: Int) -> IPAddress {
        let bytes = bytes.enumerated().map { index, byte in
            let keptBits = max(0, min(8, bits - index * 8))
            return byte & ~UInt8(truncatingIfNeeded: 0xFF >> keptBits)
        }
        return IPAddress(bytes: bytes)
    }

    /// IANA's registries of special-purpose addresses, November 2025.
    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
        "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        // Multicast and reserved.
        "224.0.0.0/4", "240.0.0.0/4",
        // Protocol assignments (which include Teredo), documentation, 6to4, documentation.
        "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    ].compactMap { AddressRange($0) }

    /// Resolves a host name or address with the system's resolver. The addresses are in its order of preference.
    ///
    /// - Throws: ``TransportError/unreachable(_:)`` if the name has no address. `CancellationError` if the task is
    ///   cancelled; the system's lookup may then still be running.
    package static func resolve(_ host: String) async throws -> [IPAddress] {
        let (results, continuation) = AsyncStream<[IPAddress]>.makeStream()
        Thread.detachNewThread {
            continuation.yield(lookUp(host))
            continuation.finish()
        }
        for await addresses in results {
            guard !addresses.isEmpty else { throw TransportError.unreachable("the name has no address") }
            return addresses
        }
        throw CancellationError()
    }

    /// Blocks the calling thread.
    private static func lookUp(_ host: String) -> [IPAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = IPAddress(entry.ai_addr, family: entry.ai_family), !addresses.contains(address) {
                addresses.append(address)
            }
            next = entry.ai_next
        }
        return addresses
    }

    private init?(_ socketAddress: UnsafeMutablePointer<sockaddr>?, family: Int32) {
        guard let socketAddress else { return nil }
        switch family {
        case AF_INET:
            let address = socketAddress.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
            self.init(bytes: withUnsafeBytes(of: address) { Array($0) })
        case AF_INET6:
            let address = socketAddress.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_addr }
            self.init(bytes: withUnsafeBytes(of: address) { Array($0) })
        default: return nil
        }
    }
}

/// A range of addresses with a common prefix, or a single address.
package struct AddressRange: Hashable, Sendable {
    private let network: IPAddress
    private let bits: Int

    /// Parses a range such as `10.0.0.0/8`, or a single address.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let address = IPAddress(String(first))?.unmapped else {
            return nil
        }
        let all = address.bytes.count * 8
        guard let bits = parts.count == 2 ? Int(parts[1]) : all, (0...all).contains(bits) else { return nil }
        (network, self.bits) = (address.prefix(bits), bits)
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.bytes.count == network.bytes.count && address.prefix(bits) == network
    }
}
