import Foundation
package import HTMLCleaning
public import HTMLViews
public import InboxCards
public import InboxClient
public import InboxModel
public import Observation
import Replica

/// The state of a screen with one message's HTML, and the person's clicks in it.
///
/// The message is cleaned for the view that shows it (``show(in:)``), and again when the view's width, its colors or
/// the text size change, or when the sender changes the message. Nothing of it runs, and nothing is loaded by the view.
/// Stored pictures are shown at once, also offline; missing ones follow.
///
/// ```swift
/// let model = MessageHTMLModel(message.id, in: inbox)
/// // In SwiftUI: ScrollView { MessageHTMLView(model) }
/// ```
@MainActor
@Observable
public final class MessageHTMLModel: Identifiable {
    /// The message's id.
    public nonisolated let id: String
    /// The state to show.
    public private(set) var state = MessageHTMLState.loading
    /// The message; nil until it is known, and after it is gone.
    public private(set) var message: Message?
    /// The texts in the person's language. The default follows the device's languages.
    public var texts: CardTexts
    /// Opens the links. SwiftUI's view sets one if none is set.
    @ObservationIgnored public var linkOpener: LinkOpener?
    /// Closes the screen after a click on a close button of the message. SwiftUI's view sets one if none is set.
    @ObservationIgnored public var close: (@MainActor () -> Void)?
    /// Receives a click that was stored, or couldn't be. Returns whether the link was handled and isn't opened.
    @ObservationIgnored package var onClick: (@MainActor (HTMLAction, Message) async -> Bool)?

    /// The data of a click's event in place of the link's address and text, which it has if this exceeds the limit.
    @ObservationIgnored package var clickData: (@MainActor (HTMLAction, Message) -> [String: EventValue])?

    @ObservationIgnored private let inbox: Inbox
    @ObservationIgnored private let source: MessageHTMLSource
    @ObservationIgnored private var viewport: HTMLViewport?
    /// Observes the message.
    @ObservationIgnored private let watching = OwnedTask()
    /// Asks the server for the message.
    @ObservationIgnored private let syncing = OwnedTask()
    /// Cleans the message.
    @ObservationIgnored private let cleaning = OwnedTask()

    /// Shows a message, and begins to read it at once.
    ///
    /// - Parameters:
    ///   - id: The message's id.
    ///   - inbox: The inbox with the message.
    ///   - source: Where its cleaned HTML comes from; nil for the inbox, with its pictures.
    ///   - texts: The texts; nil for those in the device's language.
    public init(
        _ id: String,
        in inbox: Inbox,
        source: MessageHTMLSource? = nil,
        texts: CardTexts? = nil
    ) {
        self.id = id
        self.inbox = inbox
        self.source = source ?? .pictures(of: inbox)
        self.texts = texts ?? CardTexts(preferring: Locale.preferredLanguages)
        watch()
    }

    /// Shows the message in a view. Call it when the view's width, its colors or the text size change.
    public func show(in viewport: HTMLViewport) {
        guard viewport != self.viewport else { return }
        self.viewport = viewport
        clean()
    }

    /// Retries the failed steps.
    public func retry() {
        guard case .failed = state else { return }
        state = .loading
        if message == nil { watch() } else { clean() }
    }

    /// Records that a view can't show the document.
    public func fail(_ error: any Error) {
        cleaning.cancel()
        state = .failed(error)
    }

    // MARK: - The message

    private func watch() {
        let (id, inbox) = (id, inbox)
        let snapshots = inbox.observe(Query<Message>(where: #Predicate { $0.id == id }), in: .active)
        watching.start { [weak self, clock = inbox.store.clock] in
            var (isKnown, hasFailed) = (false, false)
            await RepeatedObservation(clock).follow {
                snapshots
            } show: { [weak self] snapshot in
                guard let self else { return false }
                if hasFailed { state = .loading }
                hasFailed = false
                if let message = snapshot.items.first {
                    isKnown = true
                    changed(message)
                } else if isKnown {
                    showDeleted()
                    return false
                } else {
                    // It may have been sent after the last sync.
                    isKnown = true
                    sync()
                }
                return true
            } failed: { [weak self] error in
                // The question to the server ends with it.
                (isKnown, hasFailed) = (false, true)
                self?.fail(reading: error)
            } ended: {
                self?.end(InboxError(.closed, "The inbox was closed."))
            }
        }
    }

    /// Asks the server for a message that this device doesn't know.
    private func sync() {
        let (id, inbox) = (id, inbox)
        syncing.start { [weak self] in
            do {
                try await inbox.sync()
                let found = try await inbox.message(id: id)
                guard !Task.isCancelled, let self, message == nil else { return }
                if let found { changed(found) } else { showDeleted() }
            } catch {
                guard !Task.isCancelled, let self, message == nil else { return }
                end(error)
            }
        }
    }

    private func changed(_ new: Message) {
        let old = message
        message = new
        if let old, old.html == new.html, old.title == new.title { return }
        clean()
    }

    private func showDeleted() {
        cancel()
        message = nil
        state = .gone
    }

    private func cancel() {
        for task in [watching, syncing, cleaning] { task.cancel() }
    }

    private func end(_ error: any Error) {
        watching.cancel()
        fail(reading: error)
    }

    /// Shows an error of the store. The observation begins again.
    private func fail(reading error: any Error) {
        syncing.cancel()
        cleaning.cancel()
        message = nil
        state = .failed(error)
    }

    // MARK: - Its HTML

    /// Cleans the message for the view, first with the pictures that are stored, then with those that are fetched.
    private func clean() {
        guard let message, let viewport else { return }
        let source = source
        cleaning.start { [weak self] in
            do {
                let stored = try await source.clean(message, viewport.medium, false)
                // Another message, or another view, may be shown by now.
                guard !Task.isCancelled else { return }
                self?.show(stored, for: viewport)
                guard let stored, stored.missingPictureCount > 0 else { return }
                let fetched = try await source.clean(message, viewport.medium, true)
                guard !Task.isCancelled else { return }
                self?.show(fetched, for: viewport)
            } catch {
                guard !Task.isCancelled, let self, state.page == nil else { return }
                state = .failed(error)
            }
        }
    }

    private func show(_ content: MessageHTMLSource.Content?, for viewport: HTMLViewport) {
        guard let message else { return }
        guard let content else {
            // The inbox has none of a message that was deleted a moment ago, either.
            if message.html?.isEmpty ?? true { state = .withoutHTML }
            return
        }
        let title = message.title.isEmpty ? texts[.message] : message.title
        let notes = content.html.isComplete ? [] : [texts[.messageTruncated]]
        let page = HTMLPage(content.html, title: title, for: viewport, notes: notes)
        if state.page != page { state = .shown(page) }
    }

    // MARK: - Clicks

    /// Handles a click on a link, as the view reports it: the click is tracked and the message is read, and the link
    /// is opened. An address that the message doesn't have is ignored.
    ///
    /// An event has the link's address and text as `url` and `cta`. A link with
    /// `xnpe_force_track` is tracked without consent too.
    ///
    /// - Parameter url: The address.
    /// - Throws: The client's `InboxError` if it can't be stored. The link is opened nevertheless.
    public func clicked(_ url: String) async throws {
        guard let message, let page = state.page else { return }
        switch page.click(on: url) {
        case .stay, .blocked: return
        case .close: close?()
        case .action(let action): try await perform(action, of: message)
        }
    }

    private func perform(_ action: HTMLAction, of message: Message) async throws {
        var failure: (any Error)?
        do {
            try await track(action, of: message)
        } catch {
            failure = error
        }
        let link = MessageAction(id: action.url, text: action.label ?? "", link: action.url)
        let isHandled = await onClick?(action, message) ?? false
        // The link is opened even if the store fails.
        if !isHandled { await linkOpener?.open(link, to: action.destination, of: message) }
        if let failure { throw failure }
    }

    private func track(_ action: HTMLAction, of message: Message) async throws {
        let isForced = action.forcesTracking
        if let data = clickData?(action, message) {
            do {
                try await inbox.click(message.id, data: data, isForced: isForced)
                return
            } catch let error as InboxError where error.code == .invalidArgument {}
        }
        try await inbox.click(message.id, data: action.eventData, isForced: isForced)
    }
}

/// The state of a ``MessageHTMLModel``.
public enum MessageHTMLState: Sendable {
    /// Nothing is shown yet.
    case loading
    /// The message's HTML.
    case shown(HTMLPage)
    /// The message has no HTML. A card shows it.
    case withoutHTML
    /// The message has expired, or was deleted or recalled.
    case gone
    /// The reason why nothing is shown. ``MessageHTMLModel/retry()`` tries it again.
    case failed(any Error)

    /// The page, if one is shown.
    public var page: HTMLPage? {
        if case .shown(let page) = self { page } else { nil }
    }
}

extension HTMLAction {
    /// The link's destination: the browser for a web address, unless the sender has set that the app opens it. Every
    /// other address is a deep link.
    fileprivate var destination: LinkDestination {
        let destination = LinkDestination(url)
        guard kind == .deepLink, case .systemBrowser(let url) = destination else { return destination }
        return .app(url)
    }

    /// The data of a click's event. A link that is longer than an event's data is left out.
    fileprivate var eventData: [String: EventValue] {
        var data: [String: EventValue] = [:]
        if url.utf8.count <= EventLimits.data / 2 { data["url"] = .string(url) }
        if let label { data["cta"] = .string(label) }
        return data
    }
}
