import Foundation
public import InboxCards
public import InboxMail
public import Observation
import InboxViews
import Replica

/// One thread on screen, kept up to date: its mails, of which the read ones before the last are collapsed.
///
/// The mails that are shown in full are marked as read, once each. A thread that is deleted elsewhere is no longer
/// shown.
@MainActor
@Observable
public final class ThreadModel {
    /// The state of the screen.
    public enum State: Hashable, Sendable {
        /// The thread isn't on the device and is fetched.
        case loading
        /// The thread's mails.
        case loaded
        /// The thread was deleted, or never existed.
        case gone
        /// The thread isn't on the device and couldn't be fetched, the store can't be read, or the mail was closed. A
        /// store that can be read again is shown by itself.
        case failed(MailError)
    }

    /// A mail of the thread.
    public struct Entry: Hashable, Identifiable, Sendable {
        /// The mail.
        public let message: MailMessage
        /// Whether it is shown in full, and not its header alone.
        public let isExpanded: Bool

        /// The mail's id.
        public var id: String { message.id }
    }

    /// The thread's id.
    public nonisolated let id: String
    /// The account.
    public nonisolated let mail: Mail
    /// The state of the screen.
    public private(set) var state = State.loading
    /// The thread; nil while it isn't shown.
    public private(set) var thread: MailThread?
    /// The mails, oldest first. Those that are only in trash or junk are left out, unless all are.
    public private(set) var entries: [Entry] = []
    /// The names and addresses with which the person sends.
    public private(set) var identities: [MailIdentity] = []
    /// The texts in the person's language. The default follows the device's languages.
    public var texts: CardTexts {
        didSet { for body in bodies.values { body.texts = texts } }
    }

    @ObservationIgnored private let marksRead: Bool
    @ObservationIgnored private let showsTrash: Bool
    /// Whether each mail is shown in full, as the person, or the first look at it, has determined.
    @ObservationIgnored private var expanded: [String: Bool] = [:]
    /// The mails that were marked as read, by id: each is marked once.
    @ObservationIgnored private var marked: Set<String> = []
    @ObservationIgnored private var bodies: [String: MailBodyModel] = [:]
    @ObservationIgnored private var files: [String: MailFileModel] = [:]
    @ObservationIgnored private let observation = OwnedTask()
    @ObservationIgnored private let threadObservation = OwnedTask()
    @ObservationIgnored private let fetching = OwnedTask()

    /// Creates the model of a thread. If the device doesn't have it, it is fetched by a sync. With `MailScope.slices`,
    /// a sync fetches only the threads that a query has requested, such as that of a list.
    ///
    /// - Parameters:
    ///   - id: The thread's id.
    ///   - mail: The account.
    ///   - marksRead: Whether mails that are shown in full are marked as read. False to show the thread without that,
    ///     as in a preview, or in an account that is read-only.
    ///   - showsTrash: Whether mails that are only in trash or junk are shown too, as in a list of those.
    ///   - texts: The texts; nil for those in the device's language.
    public init(
        _ id: String,
        in mail: Mail,
        marksRead: Bool = true,
        showsTrash: Bool = false,
        texts: CardTexts? = nil
    ) {
        (self.id, self.mail, self.marksRead, self.showsTrash) = (id, mail, marksRead, showsTrash)
        self.texts = texts ?? CardTexts(preferring: Locale.preferredLanguages)
        observe()
    }

    /// The subject; empty if there is none.
    public var subject: String { thread?.subject ?? entries.first?.message.subject ?? "" }

    /// Fetches the thread again after a failure.
    public func retry() {
        guard case .failed = state else { return }
        state = .loading
        observe()
    }

    // MARK: - Mails

    /// Shows a mail in full, or its header alone.
    public func toggle(_ id: String) {
        guard let entry = entries.first(where: { $0.id == id }) else { return }
        expanded[id] = !entry.isExpanded
        show(entries.map(\.message))
    }

    /// Shows all mails in full.
    public func expandAll() {
        for entry in entries { expanded[entry.id] = true }
        show(entries.map(\.message))
    }

    /// Returns the state of a mail's body, the same object at each call. It begins to load with the first one.
    public func body(of message: MailMessage) -> MailBodyModel {
        if let body = bodies[message.id] { return body }
        let body = MailBodyModel(message, in: mail, texts: texts)
        bodies[message.id] = body
        return body
    }

    /// Returns the state of a file of one of the mails, the same object at each call.
    public func file(_ file: MailFile) -> MailFileModel {
        // Two mails may have the same bytes under two names.
        let key = "\(file.blobID) \(file.name ?? "")"
        if let model = files[key] { return model }
        let model = MailFileModel(file, in: mail)
        files[key] = model
        return model
    }

    // MARK: - Observation

    private func observe() {
        let id = id
        let snapshots = mail.observeMessages(
            Query(where: #Predicate { $0.threadID == id }, sort: [SortDescriptor(\.receivedAt)])
        )
        observation.start { [weak self, mail, showsTrash] in
            var hasFailed = false
            await RepeatedObservation(mail.store.clock).follow {
                snapshots
            } show: { [weak self] snapshot in
                let hidden = showsTrash ? [] : try await mail.uncountedMailboxes()
                let identities = try await mail.identities()
                guard !Task.isCancelled, let self else { return false }
                if hasFailed {
                    hasFailed = false
                    // A thread that disappeared meanwhile is loaded as at the beginning.
                    state = .loading
                    observeThread()
                }
                if self.identities != identities { self.identities = identities }
                received(snapshot.items, hidden: hidden)
                return true
            } failed: { [weak self] error in
                hasFailed = true
                self?.fail(MailError(error))
            } ended: {
                self?.fail(.closedMail)
            }
        }
        observeThread()
    }

    private func observeThread() {
        let id = id
        let threads = mail.observeThreads(Query(where: #Predicate { $0.id == id }, limit: 1))
        threadObservation.start { [weak self, clock = mail.store.clock] in
            await RepeatedObservation(clock).follow {
                threads
            } show: { [weak self] snapshot in
                guard let self else { return false }
                // A thread that is gone is known by its mails.
                if let thread = snapshot.items.first, thread != self.thread { self.thread = thread }
                return true
            }
        }
    }

    private func received(_ messages: [MailMessage], hidden: Set<String>) {
        if messages.isEmpty {
            if state == .loaded {
                showDeleted()
            } else if state == .loading, !fetching.isActive {
                fetch()
            }
            return
        }
        let counted = messages.filter { !$0.mailboxIDs.isEmpty && !$0.mailboxIDs.isSubset(of: hidden) }
        show(counted.isEmpty ? messages : counted)
        if state != .loaded { state = .loaded }
    }

    private func show(_ messages: [MailMessage]) {
        let last = messages.last { !$0.isDraft } ?? messages.last
        for message in messages where expanded[message.id] == nil {
            expanded[message.id] = message.id == last?.id || message.isUnread && !message.isDraft
        }
        let entries = messages.map { Entry(message: $0, isExpanded: expanded[$0.id] ?? false) }
        if self.entries != entries { self.entries = entries }
        markRead()
    }

    /// Marks the mails as read that are shown in full for the first time. One that the person marks as unread again
    /// stays so.
    private func markRead() {
        let shown = entries.filter { $0.isExpanded && !marked.contains($0.id) }
        marked.formUnion(shown.map(\.id))
        let unread = shown.filter { $0.message.isUnread && !$0.message.isDraft }.map(\.id)
        guard marksRead, !unread.isEmpty else { return }
        Task { [mail] in
            // A change that can't be stored must not hide the mails.
            _ = try? await mail.markRead(messages: unread)
        }
    }

    private func fetch() {
        fetching.start { [weak self, mail, id] in
            let result: State
            do {
                try await mail.sync()
                // The mails arrive by the observation.
                result = try await mail.messages(inThread: id).isEmpty ? .gone : .loaded
            } catch {
                result = .failed(MailError(error))
            }
            guard !Task.isCancelled, let self else { return }
            fetching.end()
            // The observation has shown the mails meanwhile, or has failed.
            guard state == .loading, result != .loaded else { return }
            state = result
        }
    }

    private func showDeleted() {
        clear()
        state = .gone
    }

    private func fail(_ error: MailError) {
        // A snapshot that is under way would show the thread of an account that is closed, or a thread without mails.
        threadObservation.cancel()
        clear()
        state = .failed(error)
    }

    private func clear() {
        (thread, entries) = (nil, [])
        for file in files.values { file.cancel() }
        (bodies, files) = ([:], [:])
    }
}

extension Mail {
    /// The mailboxes whose mails a thread doesn't count: trash and junk.
    func uncountedMailboxes() async throws -> Set<String> {
        Set(try await mailboxes().filter { $0.role == .trash || $0.role == .junk }.map(\.id))
    }
}
