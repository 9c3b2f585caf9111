/// Where random numbers come from: the system's generator, or in a test one that starts from a seed.
public struct RandomSource: Sendable {
    private let generate: @Sendable () -> UInt64

    /// - Parameter generate: Gives 64 random bits a call, from any thread.
    public init(_ generate: @escaping @Sendable () -> UInt64) {
        self.generate = generate
    }

    /// The system's generator, fit for secrets.
    public static let system = RandomSource {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    package func next() -> UInt64 { generate() }

    /// A number from 0 up to, not including, 1.
    package func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

    package func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// So many random characters out of 32, five bits each, all allowed in a JMAP id (RFC 8620 §1.2).
    package func token(length: Int) -> String {
        String((0..<length).map { _ in Base32.alphabet[Int(next() & 31)] })
    }
}
