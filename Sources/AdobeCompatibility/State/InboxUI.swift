#if canImport(Combine)
    public import Combine
#endif
public import Foundation
public import Groundwork
public import InboxCards
public import InboxClient
public import InboxModel
import InboxViews
public import Observation

/// The state of a screen with a surface's cards: the cards, kept up to date, and the person's interactions with them.
///
/// Its properties, methods and defaults are those of Adobe's `InboxUI`. Messages that are stored on the device are
/// shown at once, also offline. The cards are updated in place as messages are added or removed, expire, or are read on
/// another device. ``refresh()`` fetches changes from the server.
///
/// ```swift
/// let inboxUI = InboxUI(surface: "inbox", inbox: inbox, listener: listener)
/// inboxUI.isPullToRefreshEnabled = true
/// // In SwiftUI: inboxUI.view
/// ```
@MainActor
@Observable
public final class InboxUI: Identifiable {
    /// The inbox of instances that are created without one. Set it once, at launch.
    public static var defaultInbox: Inbox?
    /// The number of cards shown at first if the settings have no capacity, unless ``endsAtCapacity``.
    public static let defaultCapacity = 50
    /// The number of cards of an inbox that ends at its capacity and has none: as many as an observation fetches.
    static let maxCards = 5_000

    /// Identifies this instance.
    public nonisolated let id = UUID()
    /// The surface whose cards are shown.
    public nonisolated let surface: Surface

    /// The state to show. With Combine, `$state` publishes it.
    @ObservationIgnored @PublishedState public internal(set) var state = InboxState.loading
    /// The surface's settings for the whole inbox; nil until they are known, or if there are none. With Combine,
    /// `$inboxSchemaData` publishes them.
    @ObservationIgnored @PublishedState public internal(set) var inboxSchemaData: InboxSchemaData? = nil
    /// The failure behind the last error: the client's `InboxError`, or the error itself. Nil after a refresh that
    /// succeeded.
    public internal(set) var failure: (any Error)?
    #if canImport(Combine)
        /// Publishes before each change, as with every `ObservableObject`.
        public nonisolated let objectWillChange = ObservableObjectPublisher()
    #endif
    /// Whether there are more cards than those shown.
    public internal(set) var hasMore = false
    /// The number of unread messages of the surface.
    public internal(set) var unreadCount = 0
    /// Whether a refresh is under way.
    public internal(set) var isRefreshing = false
    /// The receiver of events. It is held strongly, until the client's inbox is closed.
    @ObservationIgnored public var listener: (any InboxEventListening)?

    /// Whether pull to refresh is enabled. A value set here overrides the settings; false by default.
    public var isPullToRefreshEnabled: Bool {
        get { pullToRefreshOverride ?? settings.isPullToRefreshEnabled }
        set { pullToRefreshOverride = newValue }
    }
    /// The space between cards, in points. A value set here overrides the settings; 16 by default.
    public var cardSpacing: CGFloat {
        get { spacingOverride ?? CGFloat(settings.cardSpacing) }
        set { spacingOverride = newValue }
    }
    /// The size of the unread indicator, in points. A value set here overrides the settings; 16 by default.
    public var unreadIconSize: CGFloat {
        get { iconSizeOverride ?? CGFloat(settings.unreadIndicator.size) }
        set {
            iconSizeOverride = newValue
            remakeCards()
        }
    }
    /// The space around the cards, in points: 12 above and below, 16 at the sides.
    public var contentInsets = CardInsets(top: 12, leading: 16, bottom: 12, trailing: 16)
    /// The texts in the person's language. The default follows the device's languages.
    public var texts: CardTexts {
        didSet {
            relativeTime = RelativeTime(texts: texts, timeZone: timeZone)
            remakeCards()
        }
    }
    /// Opens the links that the listener doesn't handle. By default the window with the card opens them.
    @ObservationIgnored public var linkOpener: LinkOpener?
    /// Whether a surface without settings is an error, as in Adobe's SDK. Otherwise the defaults apply.
    public let requiresSettings: Bool
    /// Whether the settings' capacity is a limit, as in Adobe's SDK: the end of the list loads no more cards, and
    /// without a capacity all are shown. Otherwise it is the number of cards that are shown at first and that each
    /// ``loadMore()`` adds, which the end of the list calls.
    public let endsAtCapacity: Bool

    var settings = InboxSettings()
    @ObservationIgnored var settingsError: InboxUIError?
    @ObservationIgnored var hasSettings = false
    private var pullToRefreshOverride: Bool?
    private var spacingOverride: CGFloat?
    var iconSizeOverride: CGFloat?
    @ObservationIgnored let inbox: Inbox?
    @ObservationIgnored let customizer: (any CardCustomizing)?
    @ObservationIgnored let clock: any WallClock
    private let timeZone: TimeZone
    /// The formatter of times, which caches its texts.
    @ObservationIgnored private(set) var relativeTime: RelativeTime
    /// The tasks and the loading state.
    @ObservationIgnored let tasks = InboxUITasks()
    /// The cards by message id, kept as long as they are shown.
    @ObservationIgnored var cards: [String: ContentCardUI] = [:]
    @ObservationIgnored var order: [String] = []
    /// The ids of dismissed messages, until the store no longer returns them.
    @ObservationIgnored var dismissed: Set<String> = []
    /// Tracks the cards that are displayed; nil without an inbox, or after it was closed.
    @ObservationIgnored var displays: DisplayTracker?
    #if canImport(SwiftUI)
        var customViews = InboxCustomViews()
    #endif

    /// Shows a surface of an inbox, and begins to load at once.
    ///
    /// - Parameters:
    ///   - surface: The surface.
    ///   - inbox: The inbox with the messages; nil for ``defaultInbox``. If that isn't set either, the state is the
    ///   error ``InboxUIError/inboxCreationFailed``.
    ///   - customizer: Customizes the appearance of cards.
    ///   - listener: The receiver of events. It is held strongly.
    ///   - requiresSettings: Whether a surface without settings is an error.
    ///   - endsAtCapacity: Whether the settings' capacity is a limit.
    ///   - texts: The texts; nil for those in the device's language.
    ///   - timeZone: The time zone in which the person's days begin; by default the device's current one.
    ///   - clock: The clock.
    public init(
        surface: Surface,
        inbox: Inbox?,
        customizer: (any CardCustomizing)? = nil,
        listener: (any InboxEventListening)? = nil,
        requiresSettings: Bool = false,
        endsAtCapacity: Bool = false,
        texts: CardTexts? = nil,
        timeZone: TimeZone = .autoupdatingCurrent,
        clock: any WallClock = SystemClock()
    ) {
        self.surface = surface
        self.inbox = inbox ?? Self.defaultInbox
        self.customizer = customizer
        self.listener = listener
        self.requiresSettings = requiresSettings
        self.endsAtCapacity = endsAtCapacity
        let texts = texts ?? CardTexts.adobe(preferring: Locale.preferredLanguages)
        self.texts = texts
        self.timeZone = timeZone
        relativeTime = RelativeTime(texts: texts, timeZone: timeZone)
        self.clock = clock
        displays = self.inbox.map(makeDisplays)
        refresh()
    }

    /// Fetches changes from the server. Does nothing while a refresh is in progress.
    ///
    /// The listener receives `onLoading` immediately, then `onSuccess` or `onError`. Cards on screen stay there
    /// meanwhile. On a closed inbox the method does nothing: the state and the listener have already received the
    /// error.
    public func refresh() {
        guard !isRefreshing, !tasks.isClosed else { return }
        isRefreshing = true
        if !state.isLoaded { state = .loading }
        listener?.onLoading(self)
        guard let inbox else { return fail(InboxUIError.inboxCreationFailed) }
        tasks.reportedIDs = []
        if tasks.settings == nil { watch(inbox) }
        tasks.refreshing = Task { [weak self] in
            var failure: (any Error)?
            var hasSynced = true
            do {
                try await inbox.sync()
            } catch {
                failure = error
                hasSynced = (try? await inbox.status().lastSync) != nil
            }
            guard !Task.isCancelled, let self else { return }
            // The store is read again, because every read under way is older than this.
            tasks.pendingRefresh = Refresh(failure: failure, hasSynced: hasSynced)
            watch(inbox)
        }
    }

    /// Fetches changes from the server, and waits until the refresh has succeeded or failed.
    public func refreshed() async {
        refresh()
        guard isRefreshing else { return }
        await withCheckedContinuation { tasks.waiting.append($0) }
    }

    /// Shows one more page of cards, if there is one. The settings' capacity is the page size.
    public func loadMore() {
        guard hasMore, !tasks.isExtending, let inbox else { return }
        tasks.isExtending = true
        tasks.pages += 1
        watchMessages(inbox)
    }

    /// Ends the visit. Call it when the screen disappears: cards that are shown later are tracked as displayed again.
    public func endVisit() {
        displays?.endVisit()
    }
}

/// The state of an ``InboxUI``.
public enum InboxState: Sendable {
    /// Nothing is shown yet.
    case loading
    /// The cards; an empty inbox has none.
    case loaded([ContentCardUI])
    /// The reason why nothing is shown. When a refresh fails, an inbox with cards continues to show them.
    case error(any Error)

    /// The cards; none if the inbox isn't loaded.
    public var cards: [ContentCardUI] {
        if case .loaded(let cards) = self { cards } else { [] }
    }

    /// Whether the inbox is loaded, with or without cards.
    public var isLoaded: Bool {
        if case .loaded = self { true } else { false }
    }
}
