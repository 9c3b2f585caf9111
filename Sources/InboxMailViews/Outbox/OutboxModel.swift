import Foundation
import Groundwork
public import InboxMail
public import InboxViews
public import Observation
import Replica

/// The mails of an account that are on their way, those that weren't sent and why, the drafts that the server refuses
/// to save, and the sent mails whose copies lack the hidden recipients.
///
/// The list follows this device's drafts, also offline and after the app was ended. ``undoable`` is the mail that was
/// sent last, while it can be undone.
///
/// ```swift
/// let outbox = OutboxModel(mail)
/// for item in outbox.items where item.needsPerson { await outbox.retry(item.id) }
/// // In SwiftUI: OutboxScreen(outbox) { draft in open(draft) }
/// ```
@MainActor
@Observable
public final class OutboxModel {
    /// The state of the list.
    public enum State: Hashable, Sendable {
        /// The mails aren't known yet.
        case loading
        /// The mails; an empty outbox has none.
        case loaded
        /// The mails can't be read, for the given reason. They are shown by themselves once they can.
        case failed(MailError)
    }

    /// An action that failed, for the given reason. Nothing was changed.
    public enum Failure: Hashable, Sendable {
        /// The mail wasn't ordered to be sent: something of it has to be changed before, or the reason that is given.
        case sending(MailError)
        /// Sending can't be cancelled: for the given reason, or because the server has already been asked to send the
        /// mail.
        case revoking(MailError?)
        /// The draft isn't saved.
        case saving(MailError)
        /// The mail isn't discarded.
        case discarding(MailError)
    }

    /// The state of the list.
    public private(set) var state = State.loading
    /// The mails: first those that need the person, then the others, the last changed first.
    public private(set) var items: [OutboxItem] = []
    /// The last action's failure; nil after one that succeeded.
    public private(set) var failure: Failure?
    /// The id of the mail about which the person is asked before it is sent again: it may have been sent already.
    public private(set) var askedAbout: String?
    /// The notice about the connection; nil if there is none.
    public private(set) var connection: ConnectionNotice?

    /// The account.
    public nonisolated let mail: Mail

    private var drafts: [MailDraft] = []
    @ObservationIgnored private var progress: [String: [String: Double]] = [:]
    @ObservationIgnored private var uploads: [String: OwnedTask] = [:]
    private var clock: any WallClock { mail.configuration.clock }
    @ObservationIgnored private let observation = OwnedTask()
    @ObservationIgnored private let connections = OwnedTask()
    @ObservationIgnored private let waiting = OwnedTask()

    /// Shows the outbox of an account.
    public init(_ mail: Mail) {
        self.mail = mail
        observe()
        connections.followConnection(of: mail) { [weak self] notice in
            if let self, connection != notice { connection = notice }
        }
    }

    /// The mail that was sent last and can be undone for some seconds; nil for none. Mails that are sent later aren't
    /// part of it.
    public var undoable: OutboxItem? {
        let interval = mail.configuration.undoSendInterval
        return items.filter { item in
            if case .waiting(let date) = item.status { date.timeIntervalSince(clock.now) <= interval } else { false }
        }
        .max { $0.date < $1.date }
    }

    /// The number of mails that need the person.
    public var badge: Int { items.count(where: \.needsPerson) }

    /// Tries again to read the mails.
    public func reload() {
        guard case .failed = state else { return }
        state = .loading
        observe()
    }

    /// Clears ``failure``.
    public func dismissFailure() { failure = nil }

    // MARK: - Actions

    /// Tries again now to send a mail: one that was refused, or that waits for a time or for the network. Sending can
    /// be cancelled, as after any order. A draft that isn't saved is saved, and one that the server refuses to remove
    /// is discarded again. About one that may have been sent already the person is asked first (``askedAbout``).
    public func retry(_ id: String) async {
        guard let item = item(id) else { return }
        switch item.status {
        case .unknown: askedAbout = id
        case .refused(let refusal) where refusal.code == .notDiscarded: await discard(id)
        case .refused: await send(id)
        case .unsaved: await save(id)
        case .waiting, .queued:
            // A new order doesn't wait for the next attempt of the one before.
            if await takeBack(id) != nil { await send(id) }
        case .sentUnnamed, .sentUnmoved: return
        case .uploading, .sending:
            // A failure is the connection's, and the mail waits on.
            try? await mail.sync()
        }
    }

    /// Sends the mail about which the person was asked, as a new one.
    public func confirm() async {
        guard let id = askedAbout else { return }
        askedAbout = nil
        await send(id)
    }

    /// Ends the question without sending.
    public func decline() { askedAbout = nil }

    /// Takes a mail back for a change.
    ///
    /// - Returns: The draft, for ``ComposeModel``; nil if it can't be changed. ``failure`` has the reason.
    public func edit(_ id: String) async -> MailDraft? {
        guard let item = item(id) else { return nil }
        if item.canBeTakenBack { return await takeBack(id) }
        do {
            let draft = try await mail.draft(id: id)
            if case .unsaved(let reason)? = draft?.state, reason.code == .unreadable {
                throw MailError(.unreadableDraft, reason.description)
            }
            guard let draft, draft.isEditable else {
                failure = .revoking(nil)
                return nil
            }
            failure = nil
            return draft
        } catch {
            failure = .revoking(MailError(error))
            return nil
        }
    }

    /// Takes the mail back that was sent last.
    ///
    /// - Returns: The draft; nil if there is none, or if sending can't be cancelled.
    public func undo() async -> MailDraft? {
        guard let item = undoable else { return nil }
        return await takeBack(item.id)
    }

    /// Takes a mail back that isn't sent yet. It is a draft then.
    public func cancel(_ id: String) async { _ = await takeBack(id) }

    /// Removes a mail from all devices without sending it; of one that was sent, only its notice in the outbox.
    public func discard(_ id: String) async {
        do {
            try await mail.discard(id)
            failure = nil
        } catch {
            failure = .discarding(MailError(error))
        }
    }

    private func item(_ id: String) -> OutboxItem? { items.first { $0.id == id } }

    private func takeBack(_ id: String) async -> MailDraft? {
        do {
            let draft = try await mail.undoSend(id)
            failure = draft == nil ? .revoking(nil) : nil
            // At once, and nothing that was read before is shown again: another tap would do nothing.
            if draft != nil {
                show(drafts.filter { $0.id != id })
                observe()
            }
            return draft
        } catch {
            failure = .revoking(MailError(error))
            return nil
        }
    }

    private func send(_ id: String) async {
        do {
            guard let draft = try await mail.draft(id: id) else { return }
            try await mail.send(draft)
            failure = nil
        } catch {
            failure = .sending(MailError(error))
        }
    }

    private func save(_ id: String) async {
        do {
            guard let draft = try await mail.draft(id: id) else { return }
            try await mail.save(draft, waitsForChanges: false)
            failure = nil
        } catch {
            failure = .saving(MailError(error))
        }
    }

    // MARK: - Observation

    private func observe() {
        let query = Query<MailDraft>(where: #Predicate { $0.state.name != "draft" })
        let snapshots = mail.observeDrafts(query)
        observation.start { [weak self, clock] in
            await RepeatedObservation(clock).follow {
                snapshots
            } show: { [weak self] snapshot in
                guard let self else { return false }
                show(snapshot.items)
                return true
            } failed: { [weak self] error in
                self?.fail(MailError(error))
            } ended: {
                self?.fail(MailError(.closed, "The mail was closed."))
            }
        }
    }

    private func show(_ all: [MailDraft]) {
        let drafts = all.filter { $0.state != .sent || $0.copyRefusal != nil || $0.moveRefusal != nil }
        self.drafts = drafts
        if let askedAbout, !drafts.contains(where: { $0.id == askedAbout }) { self.askedAbout = nil }
        observeUploads()
        update()
        if state != .loaded { state = .loaded }
    }

    private func fail(_ error: MailError) {
        (drafts, items, uploads, askedAbout) = ([], [], [:], nil)
        if state != .failed(error) { state = .failed(error) }
    }

    /// Makes the items, and waits until one of them waits for the network instead of the time.
    private func update() {
        let now = clock.now
        let made = drafts.compactMap { OutboxItem($0, progress: progress[$0.id] ?? [:], now: now) }
        let items = made.filter(\.needsPerson) + made.filter { !$0.needsPerson }
        if self.items != items { self.items = items }
        guard let next = items.map(\.date).filter({ $0 > now && $0 < .distantFuture }).min() else {
            return waiting.cancel()
        }
        waiting.start { [weak self, clock] in
            guard (try? await clock.sleep(until: next)) != nil, !Task.isCancelled else { return }
            self?.update()
        }
    }

    private func observeUploads() {
        let ids = Set(drafts.filter { !$0.attachments.allSatisfy(\.isUploaded) && !$0.isEditable }.map(\.id))
        uploads = uploads.filter { ids.contains($0.key) }
        progress = progress.filter { ids.contains($0.key) }
        for id in ids where uploads[id] == nil {
            let (task, values) = (OwnedTask(), mail.uploadProgress(ofDraft: id))
            uploads[id] = task
            task.start { [weak self] in
                for await value in values {
                    guard !Task.isCancelled, let self else { return }
                    // The last fraction stays until the stored draft marks the file as uploaded.
                    progress[id, default: [:]].merge(value) { $1 }
                    update()
                }
            }
        }
    }
}

extension OutboxItem {
    /// The time at which it is sent; the distant future if that isn't known.
    fileprivate var date: Date { if case .waiting(let date) = status { date } else { .distantFuture } }
}
