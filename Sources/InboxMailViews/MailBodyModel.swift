public import Foundation
import HTMLCleaning
public import HTMLViews
public import InboxCards
import InboxClient
public import InboxMail
public import Observation
import Replica

/// The state of a screen with one mail's body: its parts, its pictures, and the person's clicks in it.
///
/// The body is made for the view that shows it (``show(in:)``), and again when the view's width, its colors or the text
/// size change. Nothing of it runs, and nothing is loaded by the view. Pictures on the web are shown once the person
/// allows them: a request for them reveals to the sender when and where a mail is read. A permission that is given or
/// withdrawn elsewhere applies here too, and a mail that is deleted elsewhere is no longer shown.
///
/// ```swift
/// let model = MailBodyModel(message, in: mail)
/// // In SwiftUI: ScrollView { MailBodyView(model) }
/// ```
@MainActor
@Observable
public final class MailBodyModel: Identifiable {
    /// The mail.
    public nonisolated let message: MailMessage
    /// The state to show.
    public private(set) var state = MailBodyState.loading
    /// The number of pictures on the web that aren't shown because they aren't allowed.
    public private(set) var hiddenPictureCount = 0
    /// The number of tracking pixels that were removed.
    public private(set) var trackingPixelCount = 0
    /// Whether pictures are being loaded after the person has allowed them.
    public private(set) var isLoadingPictures = false
    /// The reason why pictures couldn't be allowed or loaded. The mail is shown without them.
    public private(set) var picturesError: (any Error)?
    /// The mail's files, without the pictures within its text.
    public private(set) var attachments: [MailFile] = []
    /// Whether the server truncated the text.
    public private(set) var isTruncated = false
    /// The texts in the person's language. The default follows the device's languages.
    public var texts: CardTexts
    /// Opens links. SwiftUI's view sets one if none is set.
    @ObservationIgnored public var openURL: (@MainActor (URL) -> Void)?

    /// The mail's id.
    public nonisolated var id: String { message.id }
    /// Whether the person can allow pictures on the web, and some aren't shown.
    public var canShowPictures: Bool { hiddenPictureCount > 0 && access.allow != nil }
    /// Whether a permission can be for the mail's sender: it has one, and no other authors.
    public var hasOneSender: Bool { message.from.count == 1 }

    @ObservationIgnored private let loadBody: @Sendable () async throws -> MailBody
    @ObservationIgnored private let access: MailPictureAccess
    @ObservationIgnored private var viewport: HTMLViewport?
    @ObservationIgnored private var body: MailBody?
    @ObservationIgnored private var pictures = MailPictures()
    @ObservationIgnored private var missingPictureCount = 0
    @ObservationIgnored private let tasks = MailBodyTasks()

    /// Shows a mail's body, and begins to read it at once.
    ///
    /// - Parameters:
    ///   - message: The mail.
    ///   - mail: The account.
    ///   - pictures: How pictures are loaded and allowed; nil for the account's pictures and permissions.
    ///   - texts: The texts; nil for those in the device's language.
    public convenience init(
        _ message: MailMessage,
        in mail: Mail,
        pictures: MailPictureAccess? = nil,
        texts: CardTexts? = nil
    ) {
        self.init(message, pictures: pictures ?? MailPictureAccess(mail), texts: texts) {
            try await mail.body(of: message.id)
        }
        watch(mail)
    }

    /// Shows a mail's body from another source, and begins to read it at once.
    ///
    /// - Parameters:
    ///   - message: The mail.
    ///   - pictures: How pictures are loaded and allowed.
    ///   - texts: The texts; nil for those in the device's language.
    ///   - body: Returns the body.
    public init(
        _ message: MailMessage,
        pictures: MailPictureAccess,
        texts: CardTexts? = nil,
        body: @escaping @Sendable () async throws -> MailBody
    ) {
        self.message = message
        access = pictures
        loadBody = body
        self.texts = texts ?? CardTexts(preferring: Locale.preferredLanguages)
        load()
    }

    /// Shows the body in a view. Call it when the view's width, its colors or the text size change.
    public func show(in viewport: HTMLViewport) {
        guard viewport != self.viewport else { return }
        let isOtherMedium = viewport.medium != self.viewport?.medium
        self.viewport = viewport
        render()
        // Another medium may show other pictures.
        if isOtherMedium { loadPictures() }
    }

    /// Retries the failed steps.
    public func retry() {
        guard case .failed = state else { return }
        state = .loading
        if body == nil {
            load()
        } else {
            render()
            loadPictures()
        }
    }

    /// Records that a view can't show a part's document.
    public func fail(_ error: any Error) {
        tasks.cancel()
        isLoadingPictures = false
        state = .failed(error)
    }

    /// Folds a part, or unfolds it.
    public func toggle(_ part: MailBodyPart) {
        var parts = state.parts
        guard parts.indices.contains(part.id), parts[part.id].canFold else { return }
        parts[part.id].isFolded.toggle()
        state = .shown(parts)
    }

    /// Stores the person's permission, and then loads the pictures. Does nothing while that is in progress.
    ///
    /// ``picturesError`` has the reason if either fails.
    ///
    /// - Parameter permission: The permission that the person gives.
    public func showPictures(_ permission: MailPictureAccess.Permission = .mail) async {
        guard let allow = access.allow, !isLoadingPictures else { return }
        isLoadingPictures = true
        picturesError = nil
        do {
            try await allow(permission, message)
        } catch {
            isLoadingPictures = false
            picturesError = error
            return
        }
        loadPictures()
        await tasks.pictures?.value
    }

    /// Handles a click on a link of a part, as the view reports it. An address that the part doesn't have is ignored,
    /// and so is one that is never opened (`LinkDestination`).
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - part: The part.
    public func clicked(_ url: String, in part: MailBodyPart) {
        guard case .html(let page) = part.content, case .action(let action) = page.click(on: url) else { return }
        switch LinkDestination(action.url) {
        case .inApp(let url), .systemBrowser(let url), .app(let url): openURL?(url)
        case .noLink, .refused: return
        }
    }

    // MARK: - Changes elsewhere

    /// Observes the person's permissions and the mail itself, until the account is closed.
    private func watch(_ mail: Mail) {
        let (id, clock) = (message.id, mail.store.clock)
        tasks.permissions = Task { [weak self] in
            var isFirst = true
            await RepeatedObservation(clock).follow {
                mail.observeRemotePictures()
            } show: { [weak self] _ in
                guard let self else { return false }
                // The first element has the current permissions. Pictures that this model has allowed itself are being
                // loaded already.
                if !isFirst, !isLoadingPictures { loadPictures() }
                isFirst = false
                return true
            }
        }
        let mails = mail.observeMessages(Query(where: #Predicate { $0.id == id }, limit: 1))
        tasks.mail = Task { [weak self] in
            var wasKnown = false
            await RepeatedObservation(clock).follow {
                mails
            } show: { [weak self] snapshot in
                guard let self else { return false }
                if snapshot.items.isEmpty, wasKnown {
                    showDeleted()
                    return false
                }
                wasKnown = wasKnown || !snapshot.items.isEmpty
                return true
            }
        }
    }

    private func showDeleted() {
        tasks.cancel()
        (body, attachments, pictures) = (nil, [], MailPictures())
        (hiddenPictureCount, trackingPixelCount, isTruncated, isLoadingPictures) = (0, 0, false, false)
        picturesError = nil
        state = .gone
    }

    // MARK: - Loading

    private func load() {
        let loadBody = loadBody
        tasks.body = Task { [weak self] in
            do {
                let body = try await loadBody()
                guard !Task.isCancelled else { return }
                self?.received(body)
            } catch {
                guard !Task.isCancelled else { return }
                self?.state = .failed(error)
            }
        }
    }

    private func received(_ body: MailBody) {
        self.body = body
        attachments = body.attachments
        isTruncated = body.isTruncated
        render()
        loadPictures()
    }

    /// Loads the pictures that are allowed. The mail is shown without them meanwhile.
    private func loadPictures() {
        guard let body, body.html != nil, let viewport else { return }
        let (load, message) = (access.load, message)
        tasks.pictures = Task { [weak self] in
            do {
                // The stored body first.
                for fetches in [false, true] {
                    let pictures = try await load(body, message, viewport.medium, fetches)
                    guard !Task.isCancelled, let self else { return }
                    self.pictures = pictures
                    render()
                    await tasks.rendering?.value
                    guard !Task.isCancelled else { return }
                    if missingPictureCount == 0 { break }
                }
                self?.isLoadingPictures = false
            } catch {
                guard !Task.isCancelled, let self else { return }
                isLoadingPictures = false
                picturesError = error
            }
        }
    }

    private func render() {
        guard let body, let viewport else { return }
        let (pictures, title) = (pictures, message.subject.isEmpty ? texts[.message] : message.subject)
        tasks.rendering = Task { [weak self] in
            let rendering = await MailRendering.make(body, title: title, pictures: pictures, for: viewport)
            // Other pictures, or another view, may be there by now.
            guard !Task.isCancelled else { return }
            self?.show(rendering)
        }
    }

    private func show(_ rendering: MailRendering) {
        hiddenPictureCount = rendering.hiddenPictureCount
        missingPictureCount = rendering.missingPictureCount
        trackingPixelCount = rendering.trackingPixelCount
        isTruncated = body?.isTruncated ?? false || !rendering.isComplete
        let old = state.parts
        let isSame = old.map(\.kind) == rendering.parts.map(\.kind)
        let parts = rendering.parts.enumerated().map { index, part in
            // Parts that the person has folded or unfolded stay so.
            let isFolded = isSame ? old[index].isFolded : part.kind != .own && rendering.hasOwnText
            return MailBodyPart(id: index, kind: part.kind, content: part.content, isFolded: isFolded)
        }
        state = .shown(parts)
    }
}

/// The tasks of a ``MailBodyModel``, which end with it. Used on the main actor only.
private final class MailBodyTasks {
    /// Reads the body. Setting it cancels the previous task, as with the others.
    var body: Task<Void, Never>? {
        didSet { oldValue?.cancel() }
    }
    /// Loads the pictures.
    var pictures: Task<Void, Never>? {
        didSet { oldValue?.cancel() }
    }
    /// Makes the parts.
    var rendering: Task<Void, Never>? {
        didSet { oldValue?.cancel() }
    }

    /// Observes the permissions for pictures on the web.
    var permissions: Task<Void, Never>?
    /// Observes whether the mail still exists.
    var mail: Task<Void, Never>?

    /// Cancels the tasks that make the screen's content.
    func cancel() { (body, pictures, rendering) = (nil, nil, nil) }

    deinit {
        for task in [body, pictures, rendering, permissions, mail] { task?.cancel() }
    }
}
