import Foundation
import InboxMail

/// Short names for the people of mails.
struct MailPeople: Sendable {
    /// The person's own addresses, in lowercase.
    let own: Set<String>

    init(own: Set<String>) {
        self.own = own
    }

    /// Collects the person's own addresses: the server's identities, the user name, and the authors of sent mails.
    ///
    /// - Throws: `InboxError`.
    init(_ mail: Mail) async throws {
        var own = Set(try await mail.identities().map { $0.email.lowercased() })
        own.insert(mail.user.lowercased())
        if let sent = try await mail.mailboxes().first(where: { $0.role == .sent })?.id {
            let written = try await mail.messages(Query(where: #Predicate { $0.mailboxIDs.contains(sent) }, limit: 20))
            own.formUnion(written.flatMap(\.from).map { $0.email.lowercased() })
        }
        self.init(own: own.subtracting([""]))
    }

    func isOwn(_ address: EmailAddress) -> Bool { own.contains(address.email.lowercased()) }

    /// Returns the authors of a thread and its number of mails: `Anna, Bob, me (4)`. If only the person has written, it
    /// returns the recipients: `to Anna, Bob`.
    ///
    /// - Parameter limit: The width in columns.
    func line(_ thread: MailThread, limit: Int) -> String {
        let count = thread.messageCount > 1 ? " (\(thread.messageCount))" : ""
        let room = limit - count.columns
        let authors = thread.authors
        let readers = thread.participants.dropFirst(authors.count).filter { !isOwn($0) }
        if !authors.isEmpty, authors.allSatisfy(isOwn), !readers.isEmpty {
            return "to ".cut(to: room) + names(Array(readers)).cut(to: room - 3).isolated + count
        }
        return names(authors).cut(to: room).isolated + count
    }

    /// Returns one name in full, or several first names.
    private func names(_ people: [EmailAddress]) -> String {
        guard let first = people.first else { return "(unknown)" }
        if people.count == 1 { return isOwn(first) ? "me" : Self.displayName(of: first) }
        return people.map { isOwn($0) ? "me" : Self.shortName(of: $0) }.joined(separator: ", ")
    }

    /// Returns the name, or otherwise the address.
    static func displayName(of address: EmailAddress) -> String {
        let name = address.displayName.plainLine
        return name.isEmpty ? "(unknown)" : name
    }

    /// Returns the name and the address.
    static func nameAndAddress(of address: EmailAddress) -> String {
        let (name, email) = ((address.name ?? "").plainLine, address.email.plainLine)
        if email.isEmpty { return name.isEmpty ? "(unknown)" : name }
        return name.isEmpty || name == email ? email : "\(name.isolated) <\(email)>"
    }

    /// Returns `Anna` for `Anna Berger`, `Berger, Anna` and `anna@example.com`.
    static func shortName(of address: EmailAddress) -> String {
        let whole = displayName(of: address)
        if whole.contains("@"), !whole.contains(" ") { return String(whole.prefix { $0 != "@" }) }
        let parts = whole.split(separator: ",", maxSplits: 1)
        let given = parts.count == 2 ? parts[1] : whole[...]
        return given.split(separator: " ").first.map { String($0) } ?? whole
    }
}
