/// The encoding of Unicode in domain names (RFC 3492), without the prefix `xn--`.
enum Punycode {
    private static let (base, tMin, tMax, skew, damp) = (36, 1, 26, 38, 700)
    private static let (initialBias, initialN) = (72, 0x80)

    /// Returns the ASCII text for scalars.
    ///
    /// Time is quadratic in the number of scalars: callers limit it.
    static func encoded(_ scalars: [Unicode.Scalar]) -> String {
        var output = scalars.filter(\.isASCII).map { UInt8($0.value) }
        let basicCount = output.count
        var handled = basicCount
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (n, delta, bias) = (initialN, 0, initialBias)
        while handled < scalars.count {
            let next = scalars.reduce(Int.max) { Int($1.value) >= n ? min($0, Int($1.value)) : $0 }
            delta += (next - n) * (handled + 1)
            n = next
            for scalar in scalars {
                if Int(scalar.value) < n { delta += 1 }
                guard Int(scalar.value) == n else { continue }
                var (q, k) = (delta, base)
                while true {
                    let threshold = min(max(k - bias, tMin), tMax)
                    guard q >= threshold else { break }
                    output.append(digit(threshold + (q - threshold) % (base - threshold)))
                    q = (q - threshold) / (base - threshold)
                    k += base
                }
                output.append(digit(q))
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            n += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the scalars that an ASCII text stands for, or nil if it isn't Punycode.
    ///
    /// Time is quadratic in the length of the text: callers limit it.
    static func decoded(_ text: some Collection<UInt8>) -> [Unicode.Scalar]? {
        let bytes = Array(text)
        var output: [UInt32] = []
        var rest = bytes[...]
        if let delimiter = bytes.lastIndex(of: UInt8(ascii: "-")) {
            guard bytes[..<delimiter].allSatisfy({ $0 < 0x80 }) else { return nil }
            output = bytes[..<delimiter].map(UInt32.init)
            rest = bytes[(delimiter + 1)...]
        }
        var (n, i, bias) = (initialN, 0, initialBias)
        while !rest.isEmpty {
            let before = i
            var (weight, k) = (1, base)
            while true {
                guard let byte = rest.popFirst(), let digit = value(of: byte) else { return nil }
                let (product, overflow) = digit.multipliedReportingOverflow(by: weight)
                guard !overflow, product <= Int(Int32.max) - i else { return nil }
                i += product
                let threshold = min(max(k - bias, tMin), tMax)
                if digit < threshold { break }
                weight *= base - threshold
                guard weight <= Int(Int32.max) else { return nil }
                k += base
            }
            bias = adapted(i - before, count: output.count + 1, isFirst: before == 0)
            n += i / (output.count + 1)
            i %= output.count + 1
            guard n <= 0x10FFFF else { return nil }
            output.insert(UInt32(n), at: i)
            i += 1
        }
        let scalars = output.compactMap(Unicode.Scalar.init)
        return scalars.count == output.count ? scalars : nil
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var k = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            k += base
        }
        return k + (base - tMin + 1) * delta / (delta + skew)
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)
    }

    private static func value(of byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30 + 26
        case 0x41...0x5A: Int(byte) - 0x41
        case 0x61...0x7A: Int(byte) - 0x61
        default: nil
        }
    }
}
