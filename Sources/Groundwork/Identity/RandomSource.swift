/// A source of random numbers: the system's generator, or a seeded one in tests.
public struct RandomSource: Sendable {
    private let generate: @Sendable () -> UInt64

    /// Creates a source.
    ///
    /// - Parameter generate: Returns 64 random bits per call. It may be called from any thread.
    public init(_ generate: @escaping @Sendable () -> UInt64) {
        self.generate = generate
    }

    /// The system's generator, which is cryptographically secure.
    public static let system = RandomSource {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    package func next() -> UInt64 { generate() }

    /// Returns a number from 0 up to, but not including, 1.
    package func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

    package func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// Returns `length` random characters of 5 bits each, all of them valid in a JMAP id (RFC 8620, section 1.2).
    package func token(length: Int) -> String {
        String((0..<length).map { _ in Base32.alphabet[Int(next() & 31)] })
    }
}
