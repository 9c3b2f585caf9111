/// The difference between a server's clock and that of its database, in words.
package enum ClockDifference {
    /// The seconds by which two comparisons of the same clocks may differ.
    static let variation = 1.0

    /// Describes a difference.
    ///
    /// - Parameter seconds: The seconds by which the server's clock is ahead. Negative if it is behind.
    package static func description(of seconds: Double) -> String {
        "\((abs(seconds) * 10).rounded() / 10) s \(seconds < 0 ? "behind" : "ahead of") the database's"
    }
}
