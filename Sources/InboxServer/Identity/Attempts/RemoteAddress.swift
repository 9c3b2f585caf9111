import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The IP address of whoever is at the other end of a connection. One of IPv4 that is written as one of IPv6 (RFC 4291
/// §2.5.5.2) is the one of IPv4.
struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16.
    let bytes: [UInt8]

    var isV4: Bool { bytes.count == 4 }

    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    private init(bytes: [UInt8]) {
        self.bytes = bytes.starts(with: Self.mapped) ? Array(bytes.suffix(4)) : bytes
    }

    /// - Returns: Nil for an address of another kind, such as that of a Unix socket.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }

    /// Reads an address as it is written, without a port.
    init?(_ text: String) {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            guard inet_pton(family, text, &bytes) == 1 else { continue }
            self.init(bytes: bytes)
            return
        }
        return nil
    }

    /// Reads what proxies write: also with a port, and IPv6 in brackets.
    init?(forwarded text: String) {
        let text = text.filter { $0 != " " && $0 != "\t" }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            self.init(String(text[text.index(after: text.startIndex)..<end]))
        } else if let colon = text.firstIndex(of: ":"), text.contains("."), text.lastIndex(of: ":") == colon {
            self.init(String(text[..<colon]))
        } else {
            self.init(text)
        }
    }

    /// Its first bits, with zeros behind.
    func prefix(_ bits: Int) -> RemoteAddress {
        let bytes = bytes.enumerated().map { place, byte in
            let kept = max(0, min(8, bits - place * 8))
            return byte & ~UInt8(truncatingIfNeeded: 0xFF >> kept)
        }
        return RemoteAddress(unmapped: bytes)
    }

    private init(unmapped bytes: [UInt8]) { self.bytes = bytes }

    var description: String {
        if isV4 { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
    }
}

/// Addresses that begin with the same bits, or one address.
struct AddressRange: Hashable, Sendable {
    private let network: RemoteAddress
    private let bits: Int

    /// Reads `10.0.0.0/8`, or an address alone.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let address = RemoteAddress(String(first)) else { return nil }
        let all = address.bytes.count * 8
        guard let bits = parts.count == 2 ? Int(parts[1]) : all, (0...all).contains(bits) else { return nil }
        (network, self.bits) = (address.prefix(bits), bits)
    }

    func contains(_ address: RemoteAddress) -> Bool {
        address.bytes.count == network.bytes.count && address.prefix(bits) == network
    }
}
