import Foundation
public import InboxCards
public import InboxMail

extension CardTexts {
    /// Returns a text with a number, such as "Pictures from the web aren't shown (3)".
    func counted(_ text: CardText, _ count: Int) -> String {
        "\(self[text]) (\(count.formatted(.number.locale(locale))))"
    }

    /// Returns the title of the button that folds or unfolds a part.
    func folding(_ part: MailBodyPart) -> String {
        switch (part.kind, part.isFolded) {
        case (.signature, true): self[.showSignature]
        case (.signature, false): self[.hideSignature]
        case (_, true): self[.showQuotedText]
        case (_, false): self[.hideQuotedText]
        }
    }
}

extension CardTexts {
    /// Returns the name of a mailbox: for a role that has a text, in the reader's language.
    public func name(of row: MailboxRow) -> String { name(of: row.place, row.mailbox) }

    /// Returns the name of a place.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - mailbox: Its mailbox, which has the name of one without a known role.
    public func name(of place: MailboxSelection, _ mailbox: Mailbox?) -> String {
        switch (place, place.role) {
        case (.starred, _), (_, .flagged): self[.starred]
        case (_, .inbox): self[.inbox]
        case (_, .archive): self[.archiveMailbox]
        case (_, .drafts): self[.drafts]
        case (_, .sent): self[.sent]
        case (_, .trash): self[.trash]
        case (_, .junk): self[.junk]
        case (_, .all): self[.allMail]
        case (_, .important): self[.important]
        case (_, .other), (_, nil): mailbox?.name ?? self[.mailboxes]
        }
    }

    /// Returns the label of a change of threads.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - role: The role of the mailbox to which threads are moved; nil for one without a role.
    public func name(of change: MailChange, to role: Mailbox.Role? = nil) -> String {
        switch change {
        case .markRead: self[.markAsRead]
        case .markUnread: self[.markAsUnread]
        case .star: self[.star]
        case .unstar: self[.unstar]
        case .archive: self[.archive]
        case .unarchive: self[.moveToInbox]
        case .trash: self[.delete]
        case .move where role == .inbox: self[.moveToInbox]
        case .move where role == .archive: self[.archive]
        case .move: self[.moveTo]
        }
    }

    /// Returns the past form of a change, shown beside the undo button.
    public func pastName(of change: MailChange, to role: Mailbox.Role? = nil) -> String {
        switch change {
        case .markRead: self[.markedAsRead]
        case .markUnread: self[.markedAsUnread]
        case .star: self[.starred]
        case .unstar: self[.starRemoved]
        case .archive: self[.archived]
        case .unarchive: self[.movedToInbox]
        case .trash: self[.deleted]
        case .move where role == .inbox: self[.movedToInbox]
        case .move where role == .archive: self[.archived]
        case .move: self[.moved]
        }
    }

    /// Returns the label of a change of entries of both inboxes.
    public func name(of change: CombinedListModel.Change) -> String {
        switch change {
        case .markRead: self[.markAsRead]
        case .markUnread: self[.markAsUnread]
        case .archive: self[.archive]
        case .delete: self[.delete]
        }
    }

    /// Returns the past form of a change of entries of both inboxes.
    public func pastName(of change: CombinedListModel.Change) -> String {
        switch change {
        case .markRead: self[.markedAsRead]
        case .markUnread: self[.markedAsUnread]
        case .archive: self[.archived]
        case .delete: self[.deleted]
        }
    }

    /// Returns a subject, or the text in place of one that is empty.
    public func subject(_ subject: String) -> String {
        subject.allSatisfy(\.isWhitespace) ? self[.noSubject] : subject
    }

    /// Returns the accessibility label of a row of a list of threads.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - names: The names of its people.
    ///   - time: Its time.
    public func label(of row: MailScreenModel.Row, names: String, time: String) -> String {
        let thread = row.thread
        var parts: [String] = []
        if thread.isUnread { parts.append(self[.unread]) }
        if thread.isStarred { parts.append(self[.starred]) }
        if thread.hasDrafts { parts.append(self[.draft]) }
        parts += [names, subject(row.subject.text), time, row.snippet.text]
        if thread.messageCount > 1 { parts.append(counted(.messages, thread.messageCount)) }
        if thread.hasAttachments { parts.append(self[.files]) }
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
