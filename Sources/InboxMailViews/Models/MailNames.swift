import Foundation
public import InboxCards
public import InboxMail

/// The names of people in mails, as a screen shows them: the person is "Me", several have their first names, and many
/// are a number.
public struct MailNames: Hashable, Sendable {
    /// The number of names that are shown at most.
    public static let maximum = 3

    private let texts: CardTexts
    private let own: [EmailAddress]

    /// Creates names in the reader's language.
    ///
    /// - Parameters:
    ///   - texts: The reader's texts.
    ///   - own: The names and addresses with which the person sends.
    public init(_ texts: CardTexts, own: [MailIdentity] = []) {
        self.texts = texts
        self.own = own.map { EmailAddress(name: $0.name, email: $0.email) }
    }

    /// Returns the name of one person: as the mail has it, or the address if it has none.
    public func name(of address: EmailAddress) -> String {
        isOwn(address) ? texts[.me] : Self.visible(address.displayName)
    }

    /// Returns the names of several people: `Ada, Bob, Me`, or `Ada, Bob +3`. Empty for none.
    public func names(of addresses: [EmailAddress]) -> String {
        guard addresses.count > 1 else { return addresses.first.map(name(of:)) ?? "" }
        let shown = addresses.count > Self.maximum ? addresses.prefix(Self.maximum - 1) : addresses[...]
        let names = shown.map { isOwn($0) ? texts[.me] : Self.firstName(of: $0) }.joined(separator: ", ")
        let further = addresses.count - shown.count
        return further == 0 ? names : "\(names) +\(further.formatted(.number.locale(texts.locale)))"
    }

    /// Returns the names of a thread's authors; in a list of the person's own mails those of the others.
    ///
    /// - Parameters:
    ///   - thread: The thread.
    ///   - showsRecipients: Whether the recipients are shown in place of the authors.
    public func names(of thread: MailThread, showsRecipients: Bool = false) -> String {
        let (participants, authors) = (thread.participants, thread.authors)
        guard showsRecipients else { return names(of: authors.isEmpty ? participants : authors) }
        let others = participants.filter { !isOwn($0) }
        return names(of: others.isEmpty ? participants : others)
    }

    private func isOwn(_ address: EmailAddress) -> Bool { own.contains { $0.isSame(as: address) } }

    /// The first name: `Ada` of `Ada Lovelace` and of `Lovelace, Ada`. For an address without a name, the part before
    /// the `@`.
    private static func firstName(of address: EmailAddress) -> String {
        let name = visible(address.name ?? "")
        guard !name.isEmpty, !name.contains("@") else {
            let shown = name.isEmpty ? visible(address.email) : name
            return String(shown.prefix { $0 != "@" })
        }
        let given = name.split(separator: ",", maxSplits: 1).dropFirst().first.map { Substring($0) } ?? name[...]
        return given.split(separator: " ").first.map(String.init) ?? name
    }

    /// A name in one line, without characters that change the text around it.
    private static func visible(_ name: String) -> String {
        let unseen: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            // Joiners belong to letters of several scripts, and to emoji.
            let isJoiner = scalar.value == 0x200C || scalar.value == 0x200D
            let isSeen = isJoiner || !unseen.contains(scalar.properties.generalCategory)
            scalars.append(isSeen ? scalar : " ")
        }
        return String(scalars).split(separator: " ").joined(separator: " ")
    }
}
