import Foundation
import HTMLCleaning
import InboxAdapters
import InboxCards
import InboxClient
import InboxModel
public import InboxViews
public import Observation

/// The model of a message's screen: its content, and the actions of its buttons.
///
/// It follows the message, and the current customer: a message of the previous customer is gone at once.
@MainActor
@Observable
public final class AppInboxDetailModel {
    /// The state of the screen.
    public enum Content: Sendable {
        /// A progress indicator: the message is fetched.
        case loading
        /// The parts of a message.
        case push(AppInboxDetail)
        /// A message in HTML, with its own buttons.
        case html(MessageHTMLModel)
        /// The texts of an error: the message doesn't exist any more, or couldn't be fetched.
        case failed
    }

    /// The space above the picture by default, in points.
    public nonisolated static let defaultImageInset = 56.0

    /// The message's id, or Bloomreach's for a message that was imported from there.
    public let messageID: String
    /// The space above the picture, in points: that of the settings by default, 0 for a transparent navigation bar. A
    /// negative value is as 0.
    public var imageInset: Double {
        get { inset }
        set { inset = Self.valid(newValue) }
    }

    private var inset: Double
    private let customer: CustomerModels<Models>
    @ObservationIgnored private let client: Exponea
    @ObservationIgnored private let appearance: AppInboxDetailAppearance
    @ObservationIgnored private let list: AppInboxListAppearance
    @ObservationIgnored private let texts: AppInboxTexts

    @MainActor
    private final class Models {
        let message: MessageModel
        let cards: CardContextModel
        /// Made when the message is first known to have HTML.
        lazy var html: MessageHTMLModel = makeHTML()
        private let makeHTML: @MainActor () -> MessageHTMLModel

        init(_ message: MessageModel, _ cards: CardContextModel, html: @escaping @MainActor () -> MessageHTMLModel) {
            (self.message, self.cards, makeHTML) = (message, cards, html)
        }
    }

    /// Creates the model of a screen of `Exponea.shared`.
    ///
    /// - Parameters:
    ///   - messageID: The message's id, or Bloomreach's for a message that was imported from there.
    ///   - style: The style.
    ///   - texts: The texts.
    public convenience init(
        _ messageID: String,
        style: AppInboxStyle = AppInboxStyle(),
        texts: AppInboxTexts = AppInboxTexts()
    ) {
        self.init(messageID, .shared, style: style, texts: texts)
    }

    init(_ messageID: String, _ client: Exponea, style: AppInboxStyle, texts: AppInboxTexts) {
        self.messageID = messageID
        self.client = client
        self.texts = texts
        inset = Self.valid(client.imageInset)
        var (appearance, list) = (AppInboxDetailAppearance(), AppInboxListAppearance())
        appearance.apply(style.detailView)
        list.apply(style.listView)
        (self.appearance, self.list) = (appearance, list)
        customer = CustomerModels(client) { inbox in
            // A failure is shown as it is: a second fetch would let a person without a network wait twice.
            let (id, fetched) = await Self.fetch(messageID, in: inbox)
            // The list tracks the opening: the screen alone, such as from a deep link, doesn't.
            let message = MessageModel(id, in: inbox, marksRead: false, fetched: fetched)
            let cards = CardContextModel(inbox, texts: texts.cardTexts, clock: client.clock)
            cards.follow { [weak message] in message.map { $0.message.map { [$0] } ?? [] } }
            return Models(message, cards) {
                let html = MessageHTMLModel(id, in: inbox, texts: texts.cardTexts)
                html.linkOpener = client.linkOpener
                html.clickData = { action, message in
                    BloomreachMessage(message).clickedData(
                        label: action.label ?? "",
                        url: action.url,
                        platform: Exponea.platform
                    )
                }
                return html
            }
        }
    }

    /// Fetches a message.
    ///
    /// - Parameter id: The message's id, or Bloomreach's.
    /// - Returns: The message's own id, and what is shown if the device doesn't have the message. Nil if it has, or if
    ///   the fetch was interrupted.
    private static func fetch(_ id: String, in inbox: Inbox) async -> (id: String, result: MessageModel.State?) {
        do {
            guard let message = try await inbox.fetchMessage(ownOrBloomreachID: id) else { return (id, .gone) }
            return (message.id, nil)
        } catch let error as InboxError {
            return (id, .failed(error))
        } catch {
            return (id, nil)
        }
    }

    private static func valid(_ inset: Double) -> Double { inset.isFinite ? max(inset, 0) : defaultImageInset }

    // MARK: - Content

    /// The state of the screen.
    public var content: Content {
        switch customer.state {
        case .opening: return .loading
        case .failed: return .failed
        case .open(let inbox, let models):
            switch models.message.state {
            case .loading: return .loading
            case .gone, .failed: return .failed
            case .loaded(let message):
                if let html = message.html, !html.isEmpty { return .html(models.html) }
                let context = models.cards.context
                return .push(AppInboxDetail(message, of: inbox, in: context, appearance, texts: texts))
            }
        }
    }

    /// The parts of the message; nil if it has HTML or isn't shown.
    public var detail: AppInboxDetail? {
        if case .push(let detail) = content { detail } else { nil }
    }

    /// The parts of a message without a text, for a view that applies looks before the message is known.
    var template: AppInboxDetail {
        let relativeTime = RelativeTime(texts: texts.cardTexts, timeZone: .autoupdatingCurrent)
        let message = Message(id: messageID, deliverAt: client.clock.now, link: "https://localhost")
        let context = CardContext(relativeTime: relativeTime, now: client.clock.now)
        return AppInboxDetail(message, of: nil, in: context, appearance, texts: texts)
    }

    /// The status that is shown in place of the message; nil if the message is shown.
    public var status: AppInboxStatus? {
        switch content {
        case .loading: .loading(list.progress)
        case .failed: .failed(list, texts)
        case .push, .html: nil
        }
    }

    /// The title of the screen in the bar above it: the message's, or that of a message without one. It is empty while
    /// the message is fetched, and where the title is one of the parts below.
    public var title: String {
        switch content {
        case .loading: return ""
        case .push(let detail) where detail.title.isVisible: return ""
        case .push, .html, .failed: break
        }
        let title = customer.models?.message.message?.title ?? ""
        return title.isEmpty ? texts[.defaultTitle] : title
    }

    // MARK: - Actions

    /// Fetches the message again after a failure.
    public func retry() {
        guard case .failed = content else { return }
        if case .gone? = customer.models?.message.state { return }
        customer.restart()
    }

    /// Handles a tap on a button: the click is tracked, if consent allows it, and the link is opened, also if there is
    /// no network or the event can't be stored.
    public func tap(_ button: AppInboxDetail.Button) {
        guard let message = customer.models?.message.message else { return }
        client.trackAppInboxClick(action: button.action, message: MessageItem(message))
        let opener = client.linkOpener
        Task { await opener?.open(button.link, to: button.link.appInboxDestination, of: message) }
    }
}

extension MessageAction {
    /// The destination of the action's link on Bloomreach's screens: the system's browser for Bloomreach's type
    /// `browser`, whose action type is `webBrowser` in a message that an earlier version imported.
    var appInboxDestination: LinkDestination {
        let destination = destination
        guard type == MessageItemActionType.browser.rawValue, case .inApp(let url) = destination else {
            return destination
        }
        return .systemBrowser(url)
    }
}
