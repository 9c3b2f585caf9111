public import Foundation

/// The rule for displayed messages: at least half of a message was on screen for one second without interruption, once
/// per visit.
///
/// Each user interface uses this rule, and tracks `displayed` for its results. A visit ends when the list goes off
/// screen. A refresh, new neighbours or a redraw don't end it. (Half for one second is the Media Rating Council's rule
/// for a viewable impression of a picture.)
///
/// ```swift
/// var rule = DisplayRule()
/// rule.show("m1", share: 0.8, at: .now)     // the list has scrolled
/// for id in rule.displayed(at: .now) {      // regularly
///     try await inbox.track(.displayed, id)
/// }
/// ```
public struct DisplayRule: Sendable {
    /// The default of ``share``: one half.
    public static let defaultShare = 0.5
    /// The default of ``seconds``: 1 s.
    public static let defaultSeconds: TimeInterval = 1

    /// The share of a message that has to be on screen, from 0 to 1.
    public let share: Double
    /// The time for which it has to be on screen without interruption, in seconds.
    public let seconds: TimeInterval

    private var since: [String: Date] = [:]
    private var counted: Set<String> = []
    /// The messages that were on screen for long enough and left it before the next call of ``displayed(at:)``.
    private var leftScreen: [String] = []

    /// Starts a visit.
    ///
    /// - Parameters:
    ///   - share: The share of a message that has to be on screen. With 0 any visible part is enough.
    ///   - seconds: The time for which it has to be on screen. With 0 a message counts as soon as it appears.
    public init(share: Double = DisplayRule.defaultShare, seconds: TimeInterval = DisplayRule.defaultSeconds) {
        self.share = share
        self.seconds = seconds
    }

    /// Records the share of a message that is on screen.
    ///
    /// - Parameters:
    ///   - id: The message's id.
    ///   - share: The share on screen, from 0 to 1.
    ///   - time: The current time.
    public mutating func show(_ id: String, share: Double, at time: Date) {
        if share <= 0 || share < self.share || counted.contains(id) {
            if let begin = since[id], time.timeIntervalSince(begin) >= seconds {
                leftScreen.append(id)
                counted.insert(id)
            }
            since[id] = nil
        } else if since[id] == nil {
            since[id] = time
        }
    }

    /// Returns the messages that newly count as displayed: first those that have left the screen, then those on screen,
    /// in the order of their appearance.
    public mutating func displayed(at time: Date) -> [String] {
        let new = since.filter { time.timeIntervalSince($0.value) >= seconds }
            .sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        for id in new {
            since[id] = nil
            counted.insert(id)
        }
        defer { leftScreen = [] }
        return leftScreen + new
    }

    /// The time of the next call of ``displayed(at:)``. Nil if no message on screen is still to be counted.
    public var nextTime: Date? {
        since.values.min()?.addingTimeInterval(seconds)
    }

    /// Ends the visit. In the next visit each message counts again. Call ``displayed(at:)`` first to get the remaining
    /// messages of this visit.
    public mutating func endVisit() {
        (since, counted, leftScreen) = ([:], [], [])
    }
}
