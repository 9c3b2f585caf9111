import InboxMail

/// Finds mailboxes by the names that people type.
struct MailboxNames {
    private let mailboxes: [Mailbox]

    init(_ mailboxes: [Mailbox]) {
        self.mailboxes = mailboxes
    }

    /// Returns the mailbox with a name, a path such as `Work/Receipts`, or a role such as `trash`, ignoring case.
    ///
    /// - Throws: ``Failure`` that lists the existing mailboxes.
    func find(_ name: String) throws -> Mailbox {
        let wanted = name.lowercased()
        let matchers: [(Mailbox) -> Bool] = [
            { path($0).lowercased() == wanted }, { $0.name.lowercased() == wanted }, { $0.role?.name == wanted },
        ]
        for matcher in matchers {
            let found = mailboxes.filter(matcher)
            if found.count == 1 { return found[0] }
            guard found.isEmpty else {
                throw Failure("Several mailboxes have this name: \(list(found)). Which one?")
            }
        }
        let hint =
            mailboxes.isEmpty ? "No mailbox is known; see: inbox mail status" : "The mailboxes are: \(list(mailboxes))"
        throw Failure("There is no mailbox \"\(name.plainLine.cut(to: 40))\". \(hint).")
    }

    /// Returns the name with the names of the parent mailboxes before it.
    func path(_ mailbox: Mailbox) -> String {
        var names = [mailbox.name]
        var parent = mailbox.parentID
        // The parents that a server sends may form a cycle.
        while let id = parent, names.count < 20, let next = mailboxes.first(where: { $0.id == id }) {
            names.insert(next.name, at: 0)
            parent = next.parentID
        }
        return names.joined(separator: "/")
    }

    private func list(_ mailboxes: [Mailbox]) -> String {
        mailboxes.map { path($0).plainLine }.sorted().joined(separator: ", ")
    }
}
