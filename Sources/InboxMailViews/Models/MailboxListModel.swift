import Foundation
public import InboxMail
public import InboxViews
public import Observation
import Replica

/// An account with its mailboxes on screen, kept up to date.
@MainActor
@Observable
public final class MailboxListModel: Identifiable {
    /// The state of the list.
    public enum State: Hashable, Sendable {
        /// The mailboxes aren't known yet.
        case loading
        /// The mailboxes.
        case loaded
        /// Nothing is known, for the given reason: the first sync failed, or the store can't be read.
        case failed(MailError)
    }

    /// The account.
    public nonisolated let mail: Mail
    /// The state of the list.
    public var state: State { list.state }
    /// The mailboxes, in the order of siblings.
    public var mailboxes: [Mailbox] { list.items }
    /// The rows of a list of them.
    public private(set) var rows: [MailboxRow] = []
    /// The counts of threads on this device.
    public private(set) var counts = MailCounts()
    /// The account's name: that of the server, until it is known that with which the person signs in.
    public private(set) var name: String
    /// Whether the account is shared with the person for reading only, so that nothing in it can be changed.
    public private(set) var isReadOnly = false
    /// The names and addresses with which the person sends.
    public private(set) var identities: [MailIdentity] = []
    /// The progress of the first sync; nil if none is under way.
    public private(set) var progress: Mail.Progress?
    /// Whether a refresh is under way.
    public var isRefreshing: Bool { list.isRefreshing }
    /// The reason why the last refresh failed. Nil after one that succeeded. The mailboxes stay.
    public var error: MailError? { list.error }
    /// The state of the connection.
    public let connection: ConnectionModel

    private let list: PagedList<Mailbox, State>
    @ObservationIgnored private let following = OwnedTask()
    @ObservationIgnored private let naming = OwnedTask()

    /// Shows the mailboxes of an account. They are fetched by its sync.
    public init(_ mail: Mail) {
        self.mail = mail
        name = mail.user
        connection = ConnectionModel(mail)
        list = PagedList(mail)
        list.start(
            observe: { [weak self] in self?.observe() },
            didRefresh: { [weak self] in self?.readName() },
            didFail: { [weak self] in self?.clear() }
        )
        let progress = mail.progress
        following.start { [weak self] in
            for await progress in progress {
                guard let self else { return }
                if self.progress != progress { self.progress = progress }
            }
        }
        readName()
    }

    /// The mailbox with a role; nil if the account has none.
    public func mailbox(_ role: Mailbox.Role) -> Mailbox? { mailboxes.first { $0.role == role } }

    /// The row of a place; nil if the account has no such mailbox, or no longer.
    public func row(of place: MailboxSelection) -> MailboxRow? { rows.first { $0.place == place } }

    /// Syncs with the server, and returns when it has answered or failed. Concurrent calls share one sync. A list that
    /// failed begins again.
    public func refresh() async { await list.refresh() }

    private func observe() {
        let snapshots = mail.observeMailboxes().map { [mail] in ($0, try await mail.identities()) }
        list.follow(snapshots) { [weak self] in self?.page(of: $0, $1) }
    }

    private func page(
        of snapshot: MailSnapshot<Mailbox>,
        _ identities: [MailIdentity]
    ) -> PagedList<Mailbox, State>.Page {
        if counts != snapshot.counts { counts = snapshot.counts }
        if self.identities != identities { self.identities = identities }
        let rows = MailboxRow.rows(of: snapshot.items, counts)
        if self.rows != rows { self.rows = rows }
        return PagedList.Page(snapshot.items, hasSynced: snapshot.hasSynced)
    }

    private func clear() { (rows, counts) = ([], MailCounts()) }

    /// Reads the account's name from the server; offline, the last known one.
    private func readName() {
        naming.start { [weak self, mail] in
            guard let accounts = try? await mail.accounts() else { return }
            let account = accounts.first { mail.account == nil ? $0.isPrimary : $0.id == mail.account }
            guard !Task.isCancelled, let self, let account else { return }
            if !account.name.isEmpty, name != account.name { name = account.name }
            if isReadOnly != account.isReadOnly { isReadOnly = account.isReadOnly }
        }
    }
}

extension MailboxListModel.State: ListState {}

extension PagedList where State.Failure == MailError {
    /// A list of an account's.
    convenience init(_ mail: Mail) {
        self.init(
            clock: mail.store.clock,
            closed: .closedMail,
            failure: { MailError($0) },
            sync: { try await mail.sync() },
            hasSynced: { (try? await mail.status().lastSync) != nil }
        )
    }
}

extension Mail {
    /// Syncs, and returns the reason if it fails.
    func syncFailure() async -> MailError? {
        do {
            try await sync()
            return nil
        } catch {
            return MailError(error)
        }
    }
}

extension ConnectionModel {
    /// Observes the connection of an account of mail.
    public convenience init(_ mail: Mail) {
        self.init(
            mail.connectionState,
            mail.connectionStates,
            mail.observeThreads(Query(limit: 0)),
            clock: mail.store.clock
        ) { $0.pendingWrites }
    }
}
