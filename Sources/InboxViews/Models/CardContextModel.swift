public import Foundation
public import Groundwork
public import InboxCards
public import InboxClient
public import InboxModel
public import Observation

/// The values that all cards on screen share: the surface's settings, the reader's texts, and the time, which advances
/// when the text of a shown card's time changes.
@MainActor
@Observable
public final class CardContextModel {
    /// The context of the cards. A card is made by `Card(_:in:)`.
    public private(set) var context: CardContext
    /// The surface's settings: the defaults until they are known, or if there are none.
    public private(set) var settings = InboxSettings()

    @ObservationIgnored private let advance: RelativeTimeTimer
    @ObservationIgnored private var times: [Date] = []
    @ObservationIgnored private let observation = OwnedTask()

    /// Creates a context with the surface's default settings, until they are known.
    ///
    /// - Parameters:
    ///   - inbox: The inbox.
    ///   - surface: The surface whose settings apply; nil for the default surface's.
    ///   - texts: The reader's texts.
    ///   - timeZone: The reader's time zone.
    ///   - clock: The clock.
    public init(
        _ inbox: Inbox,
        surface: String? = nil,
        texts: CardTexts = CardTexts(preferring: Locale.preferredLanguages),
        timeZone: TimeZone = .autoupdatingCurrent,
        clock: any WallClock = SystemClock()
    ) {
        advance = RelativeTimeTimer(clock: clock)
        context = CardContext(relativeTime: RelativeTime(texts: texts, timeZone: timeZone), now: clock.now)
        let updates = inbox.observeSettings(surface: surface ?? Message.defaultSurface)
        observation.start { [weak self] in
            for await update in updates {
                guard let self else { return }
                // Settings that can't be read leave those before them.
                if case .success(let settings) = update { apply(settings ?? InboxSettings()) }
            }
        }
    }

    /// The reader's texts. Setting them changes the language of all cards.
    public var texts: CardTexts {
        get { context.texts }
        set {
            guard newValue != texts else { return }
            let relativeTime = RelativeTime(texts: newValue, timeZone: context.relativeTime.timeZone)
            context = CardContext(
                unreadIndicator: context.unreadIndicator,
                relativeTime: relativeTime,
                now: advance.now
            )
            wait()
        }
    }

    /// Records which messages are on screen, whose times are kept up to date.
    public func show(_ messages: [Message]) {
        let times = messages.map(\.deliverAt)
        guard times != self.times else { return }
        self.times = times
        context.now = advance.now
        wait()
    }

    private func apply(_ settings: InboxSettings) {
        guard settings != self.settings else { return }
        self.settings = settings
        context.unreadIndicator = settings.unreadIndicator
    }

    /// Waits until the next text of a time changes.
    private func wait() {
        advance.wait(for: times, in: context.relativeTime) { [weak self] now in self?.context.now = now }
    }
}
