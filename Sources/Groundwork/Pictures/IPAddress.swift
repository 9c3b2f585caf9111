import Foundation

/// An IP address that a URL names as its host.
package enum IPAddress: Hashable, Sendable {
    case v4([UInt8])
    case v6([UInt8])

    /// Reads a host as the network's functions do: an IPv6 address, with or without brackets, or an IPv4 address in any
    /// spelling of `inet_aton`, such as `127.1`, `0x7f000001` or `017700000001`. Returns nil for a name.
    package init?(host: String) {
        if host.contains(":") {
            guard let bytes = Self.v6Bytes(host) else { return nil }
            self = .v6(bytes)
        } else {
            guard let bytes = Self.v4Bytes(host) else { return nil }
            self = .v4(bytes)
        }
    }

    private static func v6Bytes(_ host: String) -> [UInt8]? {
        let text = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        return withUnsafeBytes(of: &address) { Array($0) }
    }

    /// Up to four numbers, decimal, octal or hexadecimal. The last one has the bytes that are left (URL Standard,
    /// section 3.5).
    private static func v4Bytes(_ host: String) -> [UInt8]? {
        var parts = host.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, parts.last == "" { parts.removeLast() }
        guard (1...4).contains(parts.count) else { return nil }
        let numbers = parts.compactMap(number)
        guard numbers.count == parts.count, let last = numbers.last, numbers.dropLast().allSatisfy({ $0 <= 255 }),
            last < 1 << (8 * UInt64(5 - numbers.count))
        else { return nil }
        var value = last
        for (index, number) in numbers.dropLast().enumerated() { value |= number << UInt64(8 * (3 - index)) }
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func number(_ part: Substring) -> UInt64? {
        let text = part.lowercased()
        if text.hasPrefix("0x") { return text.count == 2 ? 0 : UInt64(text.dropFirst(2), radix: 16) }
        guard text.first?.isNumber ?? false else { return nil }
        return text.hasPrefix("0") ? UInt64(text, radix: 8) : UInt64(text)
    }

    /// Whether the address belongs to the public internet: it is of no special-purpose range (IANA, IPv4 and IPv6
    /// Special-Purpose Address Registries), such as those of this machine, its network and its link.
    package var isPublic: Bool {
        switch self {
        case .v4(let bytes):
            !Self.specialV4.contains { Self.has(bytes, $0.start, length: $0.length) }
        case .v6(let bytes):
            // Global unicast addresses alone. Those of a translated IPv4 address are outside of it (64:ff9b::/96,
            // ::ffff:0:0/96) or excluded (6to4, Teredo).
            Self.has(bytes, [0x20], length: 3)
                && !Self.specialV6.contains { Self.has(bytes, $0.start, length: $0.length) }
        }
    }

    /// Whether an address begins with some bits.
    private static func has(_ bytes: [UInt8], _ start: [UInt8], length: Int) -> Bool {
        (0..<length).allSatisfy { bit in (bytes[bit / 8] ^ start[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0 }
    }

    private typealias Range = (start: [UInt8], length: Int)

    private static let specialV4: [Range] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
        ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
        ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]

    private static let specialV6: [Range] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16), ([0x3F, 0xFF, 0x00], 20),
    ]
}
