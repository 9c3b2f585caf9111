import InboxClient
import InboxModel
import InboxViews
public import Observation

/// The model of the list's screen: its content, and the actions of taps.
///
/// It follows the current customer. Messages on the device are shown at once, also offline, and the list is extended as
/// the person scrolls.
@MainActor
@Observable
public final class AppInboxListModel {
    /// The state of the screen.
    public enum Content: Hashable, Sendable {
        /// A progress indicator: the messages aren't known yet.
        case loading
        /// The texts of an empty list.
        case empty
        /// The texts of an error: no customer is identified, or nothing could be loaded.
        case failed
        /// The messages.
        case messages
    }

    /// The number of rows before the end of the list from which on it is extended.
    static let margin = 10

    /// The title of the screen.
    public let title: String
    /// The background of the list; nil for the default one.
    public let backgroundColor: AppInboxColor?
    /// Called on a tap on a row in place of the default behavior, with the message and the row's index. The message is
    /// marked as read, but the opening isn't tracked: the app calls `trackAppInboxOpened`.
    @ObservationIgnored public var onItemClickedOverride: (@MainActor (MessageItem, Int) -> Void)?
    /// Shows the screen of a message. By default it does nothing; a view controller sets it.
    @ObservationIgnored public var onOpen: (@MainActor (AppInboxScreen) -> Void)?

    private let customer: CustomerModels<Models>
    @ObservationIgnored private let client: Exponea
    @ObservationIgnored private let appearance: AppInboxListAppearance
    @ObservationIgnored private let texts: AppInboxTexts

    private struct Models {
        let list: MessageListModel
        let cards: CardContextModel
    }

    /// Creates the model of a screen of `Exponea.shared`.
    public convenience init(style: AppInboxStyle = AppInboxStyle(), texts: AppInboxTexts = AppInboxTexts()) {
        self.init(.shared, style: style, texts: texts)
    }

    init(_ client: Exponea, style: AppInboxStyle, texts: AppInboxTexts) {
        self.client = client
        self.texts = texts
        title = texts[.title]
        var appearance = AppInboxListAppearance()
        appearance.apply(style.listView)
        self.appearance = appearance
        backgroundColor = appearance.backgroundColor
        customer = CustomerModels(client) { inbox in
            let (list, cards) = (
                MessageListModel(inbox), CardContextModel(inbox, texts: texts.cardTexts, clock: client.clock)
            )
            cards.follow { [weak list] in list?.messages }
            return Models(list: list, cards: cards)
        }
    }

    // MARK: - Content

    /// The state of the screen.
    public var content: Content {
        switch customer.state {
        case .opening: return .loading
        case .failed: return .failed
        case .open(_, let models):
            switch models.list.state {
            case .loading: return .loading
            case .loaded: return models.list.messages.isEmpty ? .empty : .messages
            case .failed: return .failed
            }
        }
    }

    /// The status that is shown in place of the list; nil if the list is shown.
    public var status: AppInboxStatus? {
        switch content {
        case .loading: .loading(appearance.progress)
        case .empty: .empty(appearance, texts)
        case .failed: .failed(appearance, texts)
        case .messages: nil
        }
    }

    /// The number of rows.
    public var count: Int { messages.count }

    /// The ids of the messages, in order.
    public var ids: [String] { messages.map(\.id) }

    /// The row at an index; nil if there is none.
    public func row(at index: Int) -> AppInboxRow? {
        guard case .open(let inbox, let models) = customer.state, models.list.messages.indices.contains(index) else {
            return nil
        }
        return AppInboxRow(
            models.list.messages[index],
            of: inbox,
            in: models.cards.context,
            appearance.item,
            texts: texts
        )
    }

    /// The cell that the registered provider returns for a filled one.
    public func provided(_ cell: AppInboxCell) -> AppInboxCell {
        client.appInboxProvider.getAppInboxListTableViewCell(cell)
    }

    private var messages: [Message] { customer.models?.list.messages ?? [] }

    // MARK: - Actions

    /// Extends the list if the row is near its end. A view calls it for each row that it shows.
    public func willShow(_ index: Int) {
        guard index >= count - Self.margin else { return }
        customer.models?.list.loadMore()
    }

    /// Syncs with the server. A screen that failed begins again.
    public func refresh() async {
        if content == .failed { customer.restart() }
        await customer.opened()
        await customer.models?.list.refresh()
    }

    /// Handles a tap on a row: the message is marked as read. Then its opening is tracked, if consent allows it, and
    /// its screen is opened; or ``onItemClickedOverride`` is called.
    ///
    /// Both are stored on the device, and sent to the server later if there is no network.
    public func tap(at index: Int) {
        guard messages.indices.contains(index) else { return }
        tap(messages[index].id)
    }

    /// Handles a tap on the row of a message, as ``tap(at:)`` does, wherever the row is by now.
    public func tap(_ id: String) {
        guard case .open(let inbox, let models) = customer.state,
            let index = models.list.messages.firstIndex(where: { $0.id == id })
        else { return }
        let message = models.list.messages[index]
        client.markAppInboxAsRead(message.id)
        guard let onItemClickedOverride else {
            client.trackAppInboxOpened(message: MessageItem(message))
            onOpen?(client.getAppInboxDetailViewController(message.id))
            return
        }
        Task { [client, customer = client.customer.value] in
            let items = try? await inbox.items([message])
            guard client.customer.value == customer else { return }
            onItemClickedOverride(items?.first ?? MessageItem(message, hasTrackingConsent: false), index)
        }
    }
}

extension CardContextModel {
    /// Keeps the times of messages up to date, and follows the messages until they are nil.
    func follow(_ messages: @escaping @MainActor () -> [Message]?) {
        let shown = withObservationTracking {
            messages()
        } onChange: { [weak self] in
            Task { @MainActor in self?.follow(messages) }
        }
        if let shown { show(shown) }
    }
}
