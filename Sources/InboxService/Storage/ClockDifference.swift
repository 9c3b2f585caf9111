/// The difference between two clocks, such as a server's and its database's, in words.
package enum ClockDifference {
    /// The seconds by which two comparisons of the same clocks may differ.
    static let variation = 1.0

    /// Describes the difference of the server's clock from the database's.
    ///
    /// - Parameter seconds: The seconds by which the server's clock is ahead. Negative if it is behind.
    package static func description(of seconds: Double) -> String { "\(text(of: seconds)) the database's" }

    /// Returns a difference without the other clock's name: `1.5 s ahead of`.
    ///
    /// - Parameter seconds: The seconds by which the first clock is ahead. Negative if it is behind.
    static func text(of seconds: Double) -> String {
        "\((abs(seconds) * 10).rounded() / 10) s \(seconds < 0 ? "behind" : "ahead of")"
    }
}
