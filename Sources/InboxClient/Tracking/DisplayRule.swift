public import Foundation

/// The rule for displayed messages: at least half of a message was on screen for one second without interruption, once
/// per visit.
///
/// Each user interface uses this rule, and tracks `displayed` for its results. A visit ends when the list goes off
/// screen. A refresh, new neighbours or a redraw don't end it. (Half for one second is the Media Rating Council's rule
/// for a viewable impression of a picture.)
///
/// ```swift
/// rule.show("m1", share: 0.8, at: clock.now)
/// for id in rule.displayed(at: clock.now) { try await inbox.track(.displayed, id) }
/// ```
public struct DisplayRule: Sendable {
    /// How much of a message has to be on screen, from 0 to 1.
    public static let share = 0.5
    /// For how long without a break, in seconds.
    public static let seconds = 1.0

    private var since: [String: Date] = [:]
    private var counted: Set<String> = []
    /// Those that were on screen for long enough, and went before anybody asked.
    private var gone: [String] = []

    /// Begins a visit.
    public init() {}

    /// Notes how much of a message is on screen now.
    ///
    /// - Parameters:
    ///   - id: The message's id.
    ///   - share: How much of it, from 0 to 1.
    ///   - time: When that is.
    public mutating func show(_ id: String, share: Double, at time: Date) {
        if share < Self.share || counted.contains(id) {
            if let begin = since[id], time.timeIntervalSince(begin) >= Self.seconds {
                gone.append(id)
                counted.insert(id)
            }
            since[id] = nil
        } else if since[id] == nil {
            since[id] = time
        }
    }

    /// The messages that count as displayed by now and didn't before: first those that went, then those that are on
    /// screen, the one that came first coming first.
    public mutating func displayed(at time: Date) -> [String] {
        let new = since.filter { time.timeIntervalSince($0.value) >= Self.seconds }
            .sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        for id in new {
            since[id] = nil
            counted.insert(id)
        }
        defer { gone = [] }
        return gone + new
    }

    /// When to ask again; nil where nothing on screen is still to be counted.
    public var nextTime: Date? {
        since.values.min()?.addingTimeInterval(Self.seconds)
    }

    /// Ends the visit: in the next one each message counts again. What still counts as displayed in this one has to be
    /// asked for before.
    public mutating func endVisit() {
        (since, counted, gone) = ([:], [], [])
    }
}
