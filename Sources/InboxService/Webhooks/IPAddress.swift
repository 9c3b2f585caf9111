import Foundation
import Groundwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An address of IPv4 or IPv6.
package struct IPAddress: Hashable, Sendable {
    /// 4 or 16 of them, in network order.
    let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads an address as `inet_pton` does: IPv4 as four decimal numbers, IPv6 without brackets and zone. Nil for
    /// anything else.
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

    /// As `inet_ntop` writes it.
    package var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether it is one that anyone on the internet may be reached by.
    ///
    /// What the registries of special-purpose addresses (RFC 6890) have is not: private, loopback, link-local,
    /// unique-local, shared (CGNAT), multicast, unspecified, reserved and documentation addresses; nor is what holds an
    /// IPv4 address inside (mapped, NAT64, 6to4, Teredo), whichever that is.
    package var isPublic: Bool {
        guard bytes.count == 16 else { return !Self.special.contains { $0.contains(bytes) } }
        // Of IPv6, 2000::/3 alone is given out (RFC 4291 §2.4).
        return bytes[0] & 0xE0 == 0x20 && !Self.special.contains { $0.contains(bytes) }
    }

    private struct Block {
        let prefix: [UInt8]
        let bits: Int

        init(_ text: String, _ bits: Int) {
            (prefix, self.bits) = (IPAddress(text)?.bytes ?? [], bits)
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            guard bytes.count == prefix.count else { return false }
            return bytes.indices.allSatisfy { index in
                let left = max(0, min(8, bits - 8 * index))
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> left)
                return (bytes[index] ^ prefix[index]) & mask == 0
            }
        }
    }

    /// IANA's registries of special-purpose addresses, November 2025.
    private static let special = [
        Block("0.0.0.0", 8), Block("10.0.0.0", 8), Block("100.64.0.0", 10), Block("127.0.0.0", 8),
        Block("169.254.0.0", 16),
        Block("172.16.0.0", 12), Block("192.0.0.0", 24), Block("192.0.2.0", 24), Block("192.88.99.0", 24),
        Block("192.168.0.0", 16), Block("198.18.0.0", 15), Block("198.51.100.0", 24), Block("203.0.113.0", 24),
        // Multicast, and what is reserved.
        Block("224.0.0.0", 4), Block("240.0.0.0", 4),
        // Protocol assignments (Teredo among them), documentation, 6to4, documentation.
        Block("2001::", 23), Block("2001:db8::", 32), Block("2002::", 16), Block("3fff::", 20),
    ]

    /// The addresses of a host: of a name as the system resolves it, in the order in which they are best tried.
    ///
    /// - Throws: ``TransportError/unreachable(_:)`` for a name that has none; `CancellationError` when the task is
    ///   cancelled, while the system may still be waiting for its name server.
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

    /// Blocks its thread.
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
