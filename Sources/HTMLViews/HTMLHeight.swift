/// The height of a document in a web view, as it was measured last.
///
/// A measurement takes time. One that began before another document was loaded, or before the width changed, is
/// ignored; the height from before stays until the next one ends, so that a screen doesn't jump.
package struct HTMLHeight: Hashable, Sendable {
    /// The height in points, from 0 to ``maximum``. It is 0 until a document was measured.
    package private(set) var points = 0.0
    private var round = 0

    /// The height beyond which a document scrolls in its view. A hostile one could be a million points high.
    package static let maximum = 50_000.0

    package init() {}

    /// The document or the width has changed. Returns the number of the measurement that may follow.
    package mutating func begin() -> Int {
        round += 1
        return round
    }

    /// Records the result of a measurement.
    ///
    /// - Parameters:
    ///   - height: The height in points. Nil, a negative height, and one that isn't a number are ignored.
    ///   - round: The number that ``begin()`` returned.
    /// - Returns: Whether the height has changed.
    package mutating func measured(_ height: Double?, in round: Int) -> Bool {
        guard round == self.round, let height, height >= 0 else { return false }
        let new = min(height.rounded(.up), Self.maximum)
        defer { points = new }
        return new != points
    }

    /// The script that measures the document: the height of its root with the margins of its body. Unlike the height
    /// that can be scrolled, it doesn't depend on the view's.
    package static let script = "document.documentElement.offsetHeight"
}
