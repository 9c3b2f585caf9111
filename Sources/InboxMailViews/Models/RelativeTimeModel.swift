public import Foundation
public import Groundwork
public import InboxCards
public import Observation
import InboxViews

/// The times of a list of mail, which are kept up to date while they are shown.
@MainActor
@Observable
public final class RelativeTimeModel {
    /// The time to which the texts are relative.
    public private(set) var now: Date
    /// The reader's texts. Setting them changes the language of all times.
    public var texts: CardTexts {
        didSet {
            guard texts != oldValue else { return }
            relativeTime = RelativeTime(texts: texts, timeZone: relativeTime.timeZone)
            wait()
        }
    }

    private var relativeTime: RelativeTime
    @ObservationIgnored private let advance: RelativeTimeTimer
    @ObservationIgnored private var times: [Date] = []

    /// Creates a model without times.
    ///
    /// - Parameters:
    ///   - texts: The reader's texts.
    ///   - timeZone: The reader's time zone.
    ///   - clock: The clock.
    public init(
        texts: CardTexts = CardTexts(preferring: Locale.preferredLanguages),
        timeZone: TimeZone = .autoupdatingCurrent,
        clock: any WallClock = SystemClock()
    ) {
        self.texts = texts
        relativeTime = RelativeTime(texts: texts, timeZone: timeZone)
        advance = RelativeTimeTimer(clock: clock)
        now = clock.now
    }

    /// Returns the text for a time, such as "5 minutes ago".
    public func text(_ time: Date) -> String { relativeTime.text(time, now: now) }

    /// Returns the full date and time.
    public func exact(_ time: Date) -> String { relativeTime.exact(time) }

    /// Records which times are on screen.
    public func show(_ times: [Date]) {
        guard times != self.times else { return }
        self.times = times
        now = advance.now
        wait()
    }

    private func wait() {
        advance.wait(for: times, in: relativeTime) { [weak self] now in self?.now = now }
    }
}
