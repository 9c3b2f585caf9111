import GRDB
import Replica

/// The edits that a change makes to each mail of a thread.
struct MailChangePlan {
    typealias Edit = PerformedMailChange.Edit

    private enum Step {
        /// Each mail gets or loses a keyword.
        case all(keyword: String, isSet: Bool)
        /// The latest received mail does.
        case latest(keyword: String, isSet: Bool)
        /// Each mail in a mailbox is moved to another.
        case between(String, String)
        /// Each mail is in a mailbox, and in no other but those that it stays in.
        case only(String, staying: Set<String>)
    }

    private let db: Database
    private let step: Step

    /// - Throws: `MailError`: `invalidArgument` if the account lacks a mailbox that the change needs.
    init(_ change: MailChange, _ db: Database) throws {
        self.db = db
        let roles = MailboxDirectory(db)
        step =
            switch change {
            case .markRead: .all(keyword: Keyword.seen, isSet: true)
            case .markUnread: .latest(keyword: Keyword.seen, isSet: false)
            case .star: .latest(keyword: Keyword.flagged, isSet: true)
            case .unstar: .all(keyword: Keyword.flagged, isSet: false)
            case .archive: .between(try roles.id(.inbox), try roles.id(.archive))
            case .unarchive: .between(try roles.id(.archive), try roles.id(.inbox))
            case .trash: .only(try roles.id(.trash), staying: [])
            case .move(let mailbox): .only(try roles.existing(mailbox), staying: roles.keptMailboxes)
            }
    }

    /// Returns the edits of a thread's mails, oldest first, without those that change nothing.
    func edits(ofThread id: String) throws -> [Edit] {
        let mails = try StoreQuery(inThread: id).fetch(db)
        if case .latest(let keyword, let isSet) = step {
            let latest = try db.latestReceived(inThread: id)
            return mails.filter { $0.id == latest }.compactMap { edit($0, [keyword: isSet], .keywords) }
        }
        return mails.compactMap { mail in
            switch step {
            case .all(let keyword, let isSet): edit(mail, [keyword: isSet], .keywords)
            case .between(let from, let to): mail.mailboxIDs.contains(from) ? edit(mail, [from: false, to: true]) : nil
            case .only(let mailbox, let staying): edit(mail, only(mailbox, of: mail, staying))
            case .latest: nil
            }
        }
    }

    private func only(_ mailbox: String, of mail: MailMessage, _ staying: Set<String>) -> [String: Bool] {
        let places = mail.mailboxIDs
        if !staying.isEmpty, places.allSatisfy(staying.contains) { return [:] }
        var members = Dictionary(places.subtracting(staying).map { ($0, false) }, uniquingKeysWith: { one, _ in one })
        members[mailbox] = true
        return members
    }

    private func edit(
        _ mail: MailMessage,
        _ members: [String: Bool],
        _ property: Edit.Property = .mailboxes
    ) -> Edit? {
        let members = members.filter { mail.members(of: property).contains($0.key) != $0.value }
        return members.isEmpty ? nil : Edit(message: mail.id, property: property, members: members)
    }
}

extension MailMessage {
    /// The keywords or the mailboxes.
    func members(of property: PerformedMailChange.Edit.Property) -> Set<String> {
        switch property {
        case .keywords: keywords
        case .mailboxes: mailboxIDs
        }
    }
}

extension StoreWriter {
    /// Makes edits.
    ///
    /// - Returns: Those that have changed something.
    func apply(_ edits: [PerformedMailChange.Edit]) throws -> [PerformedMailChange.Edit] {
        try edits.filter { edit in
            let column =
                switch edit.property {
                case .keywords: RecordType.keywords
                case .mailboxes: RecordType.mailboxIds
                }
            return try !update(.email, column, members: edit.members, ids: [edit.message]).isEmpty
        }
    }
}

extension MailboxDirectory {
    /// Returns the id, if there is such a mailbox.
    ///
    /// - Throws: As ``check(_:)``.
    fileprivate func existing(_ id: String) throws -> String {
        try check(id)
        return id
    }

    /// The mailboxes whose mails stay in them: that for sent mails and that for drafts.
    fileprivate var keptMailboxes: Set<String> { Set([try? id(.sent), try? id(.drafts)].compactMap { $0 }) }
}
