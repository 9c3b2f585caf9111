import MailComposing

/// Recognizes the addresses of mailing lists and of programs by their form.
///
/// A store has no `List-Id` and no `Precedence` of a mail. An address whose form doesn't decide, such as
/// `shop@example.com`, counts as a person.
enum AutomatedAddress {
    /// Whether an address is a list's or a program's.
    static func isAutomated(_ address: EmailAddress) -> Bool {
        let local = address.localPart.lowercased()
        // An address that contains another one, as those that return undelivered mail to a program.
        if local.contains("=") { return true }
        let words = local.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let joined = words.joined()
        if names.contains(joined) || words.first.map(firstWords.contains) ?? false { return true }
        if unansweredNames.contains(where: joined.contains) { return true }
        let parts = local.split(separator: "-").map(String.init)
        if parts.count > 1, parts[0] == "owner" || lastParts.contains(parts[parts.count - 1]) { return true }
        let domain = address.asciiDomain ?? ""
        return listDomains.contains(domain)
            || domain.split(separator: ".").dropLast(2).contains { listLabels.contains(String($0)) }
    }

    /// Parts of names, without punctuation, that ask for no reply.
    private static let unansweredNames = ["noreply", "donotreply", "dontreply", "nepasrepondre", "nichtantworten"]
    /// Whole names, without punctuation.
    private static let names: Set<String> = [
        "mailerdaemon", "postmaster", "hostmaster", "listmaster", "listserv", "majordomo", "mailman", "sympa",
        "newsletter", "newsletters", "notification", "notifications", "notify", "alert", "alerts", "autoreply",
        "autoresponder", "automailer", "digest", "unsubscribe", "subscribe",
    ]
    private static let firstWords: Set<String> = ["bounce", "bounces", "srs0", "srs1", "prvs"]
    /// Last parts of names with hyphens, such as `list-bounces`.
    private static let lastParts: Set<String> = [
        "bounce", "bounces", "request", "owner", "subscribe", "unsubscribe", "confirm", "digest",
        "notification", "notifications", "newsletter",
    ]
    private static let listDomains: Set<String> = ["googlegroups.com", "groups.io", "freelists.org"]
    /// Labels below a registered domain, such as that of `lists.example.org`.
    private static let listLabels: Set<String> = [
        "list", "lists", "listserv", "mailman", "groups", "bounce", "bounces", "noreply", "newsletter",
    ]
}
