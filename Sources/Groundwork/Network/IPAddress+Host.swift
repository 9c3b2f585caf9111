extension IPAddress {
    /// Reads a URL's host as the network's functions do: an IPv6 address, with or without brackets, or an IPv4 address
    /// in any spelling of `inet_aton`, such as `127.1`, `0x7f000001` or `017700000001`. Returns nil for a name.
    package init?(host: String) {
        if host.contains(":") {
            self.init(host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host)
        } else {
            guard let bytes = Self.v4Bytes(host) else { return nil }
            self.init(bytes: bytes)
        }
    }

    /// Whether the last part of a URL's host is a number, in any spelling. Then the host is an IPv4 address
    /// (``init(host:)``) or invalid (URL Standard, section 3.5).
    package static func isNumeric(host: String) -> Bool {
        guard let last = parts(host).last, !last.isEmpty else { return false }
        return last.utf8.allSatisfy { (0x30...0x39).contains($0) } || number(last) != nil
    }

    /// The parts between the dots, without the empty one after a final dot.
    private static func parts(_ host: String) -> [Substring] {
        var parts = host.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, parts.last == "" { parts.removeLast() }
        return parts
    }

    /// Up to four numbers, decimal, octal or hexadecimal. The last one has the bytes that are left (URL Standard,
    /// section 3.5).
    private static func v4Bytes(_ host: String) -> [UInt8]? {
        let parts = parts(host)
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
}
