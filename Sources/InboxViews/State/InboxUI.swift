public import Foundation
public import Groundwork
public import InboxCards
public import InboxClient
public import InboxModel
public import Observation

/// The state of a screen with a surface's cards: what to show, kept up to date, and what the person does there.
///
/// Its properties, methods and defaults are those of Adobe's `InboxUI`. What is stored on the device is shown at once,
/// offline too, and changes in place as messages come, go, expire or are read on another device; ``refresh()`` asks the
/// server now.
///
/// ```swift
/// let inboxUI = InboxUI(surface: "inbox", inbox: inbox, listener: listener)
/// inboxUI.isPullToRefreshEnabled = true
/// // SwiftUI: inboxUI.view
/// ```
@MainActor
@Observable
public final class InboxUI: Identifiable {
    /// The inbox of those that are made without one. Set it once, at start.
    public static var defaultInbox: Inbox?
    /// How many cards are shown at first where the settings set no capacity.
    public static let defaultCapacity = 50

    /// Names this instance.
    public nonisolated let id = UUID()
    /// The surface whose cards it shows.
    public nonisolated let surface: Surface

    /// What to show.
    public internal(set) var state = InboxState.loading {
        willSet { willChange() }
    }
    /// What the surface's settings say of the whole inbox; nil until they are known, or where there are none.
    public internal(set) var inboxSchemaData: InboxSchemaData? {
        willSet { willChange() }
    }
    /// Whether there are cards beyond those that are shown.
    public internal(set) var hasMore = false
    /// How many messages of the surface the person hasn't read.
    public internal(set) var unreadCount = 0
    /// Whether a refresh is under way.
    public internal(set) var isRefreshing = false
    /// Hears of what happens here; held weakly.
    @ObservationIgnored public weak var listener: (any InboxEventListening)?

    /// Whether pulling down asks for news: what the settings say, unless it is set here; false by default.
    public var isPullToRefreshEnabled: Bool {
        get { ownPullToRefresh ?? settings.isPullToRefreshEnabled }
        set { ownPullToRefresh = newValue }
    }
    /// The space between cards, in points: what the settings say, unless it is set here; 16 by default.
    public var cardSpacing: CGFloat {
        get { ownSpacing ?? CGFloat(settings.cardSpacing) }
        set { ownSpacing = newValue }
    }
    /// The size of the unread mark, in points: what the settings say, unless it is set here; 16 by default.
    public var unreadIconSize: CGFloat {
        get { ownIconSize ?? CGFloat(settings.unreadIndicator.size) }
        set {
            ownIconSize = newValue
            remakeCards()
        }
    }
    /// The space around the cards, in points: 12 above and below, 16 at the sides.
    public var contentInsets = CardInsets.content
    /// The texts in the reader's language. Set by default from the device's languages.
    public var texts: CardTexts {
        didSet {
            relativeTime = RelativeTime(texts: texts, timeZone: timeZone)
            remakeCards()
        }
    }
    /// Opens the links that the listener leaves to the inbox. SwiftUI's view sets one where none is set.
    @ObservationIgnored public var linkOpener: LinkOpener?
    /// Whether a surface without settings is an error, as it is for Adobe. Otherwise the defaults hold.
    public let requiresSettings: Bool

    var settings = InboxSettings()
    @ObservationIgnored var settingsError: InboxUIError?
    @ObservationIgnored var hasSettings = false
    private var ownPullToRefresh: Bool?
    private var ownSpacing: CGFloat?
    var ownIconSize: CGFloat?
    @ObservationIgnored let inbox: Inbox?
    @ObservationIgnored let customizer: (any CardCustomizing)?
    @ObservationIgnored let clock: any WallClock
    private let timeZone: TimeZone
    /// The formatter of times, which caches its texts.
    @ObservationIgnored private(set) var relativeTime: RelativeTime
    /// What is under way.
    @ObservationIgnored let work = InboxUIWork()
    /// The cards by the message's id, in memory as long as they are shown.
    @ObservationIgnored var cards: [String: ContentCardUI] = [:]
    @ObservationIgnored var order: [String] = []
    /// Those that the person sent away, until the store knows.
    @ObservationIgnored var dismissed: Set<String> = []
    @ObservationIgnored var displayRule = DisplayRule()
    #if canImport(SwiftUI)
        var customViews = InboxCustomViews()
    #endif

    /// Shows a surface of an inbox; begins to load at once.
    ///
    /// - Parameters:
    ///   - surface: The surface.
    ///   - inbox: Whose messages; nil for ``defaultInbox``. Where that isn't set either, the state is the error
    ///     ``InboxUIError/inboxCreationFailed``.
    ///   - customizer: Changes how cards look.
    ///   - listener: Hears of what happens; held weakly.
    ///   - requiresSettings: Whether a surface without settings is an error.
    ///   - texts: The texts; nil for those in the device's language.
    ///   - timeZone: Where the reader's days begin; the device's, as it is at the time, unless it is said.
    ///   - clock: What time it is.
    public init(
        surface: Surface,
        inbox: Inbox?,
        customizer: (any CardCustomizing)? = nil,
        listener: (any InboxEventListening)? = nil,
        requiresSettings: Bool = false,
        texts: CardTexts? = nil,
        timeZone: TimeZone = .autoupdatingCurrent,
        clock: any WallClock = SystemClock()
    ) {
        self.surface = surface
        self.inbox = inbox ?? Self.defaultInbox
        self.customizer = customizer
        self.listener = listener
        self.requiresSettings = requiresSettings
        let texts = texts ?? CardTexts(preferring: Locale.preferredLanguages)
        self.texts = texts
        self.timeZone = timeZone
        relativeTime = RelativeTime(texts: texts, timeZone: timeZone)
        self.clock = clock
        refresh()
    }

    /// Asks the server for what is new. While a refresh is under way, this is the same one.
    ///
    /// The listener hears `onLoading` at once, then `onSuccess` or `onError`. Cards on screen stay there meanwhile. An
    /// inbox that was closed has said so, in the state and to the listener, and nothing happens any more.
    public func refresh() {
        guard !isRefreshing, !work.isClosed else { return }
        isRefreshing = true
        if !state.isLoaded { state = .loading }
        listener?.onLoading(self)
        guard let inbox else { return fail(InboxUIError.inboxCreationFailed) }
        work.announced = []
        if work.settings == nil { watch(inbox) }
        work.refreshing = Task { [weak self] in
            var failure: (any Error)?
            var hasSynced = true
            do {
                try await inbox.sync()
            } catch {
                failure = error
                hasSynced = (try? await inbox.status().lastSync) != nil
            }
            guard !Task.isCancelled, let self else { return }
            // Reads the store again: every read under way is older than this.
            work.ending = Refresh(failure: failure, hasSynced: hasSynced)
            watch(inbox)
        }
    }

    /// Asks the server for what is new, and waits until it has answered or can't be reached.
    public func refreshed() async {
        refresh()
        guard isRefreshing else { return }
        await withCheckedContinuation { work.waiting.append($0) }
    }

    /// Shows so many cards more as the settings' capacity says, where there are more.
    public func loadMore() {
        guard hasMore, let inbox else { return }
        work.pages += 1
        watchMessages(inbox)
    }

    /// The screen went off: a card that is displayed later counts again.
    public func endVisit() {
        trackDisplayed()
        displayRule.endVisit()
    }
}
