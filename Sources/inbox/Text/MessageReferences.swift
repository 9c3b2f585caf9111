import Foundation
import InboxClient

/// Ids as people type them.
///
/// The end of a message's id is random and short to type; commands take any ending that only one message has.
extension Message {
    /// The last six characters of the id, as lists show it.
    var shortID: String { String(id.suffix(6)) }
}

/// The messages that ids on the command line mean.
struct MessageReferences {
    /// The messages on this device, newest first.
    let known: [Message]

    /// The messages that ids or endings of ids name, each once, in the given order.
    ///
    /// - Throws: ``Failure`` for an ending that no message has, or more than one.
    func resolve(_ references: [String]) throws -> [Message] {
        var found: [Message] = []
        for reference in references {
            let message = try resolve(reference)
            if !found.contains(where: { $0.id == message.id }) { found.append(message) }
        }
        return found
    }

    func knowsAll(_ references: [String]) -> Bool {
        references.allSatisfy { !matches($0).isEmpty }
    }

    private func resolve(_ reference: String) throws -> Message {
        let matches = matches(reference)
        switch matches.count {
        case 1: return matches[0]
        case 0:
            let text = "No message on this device has the id \(quoted(reference))."
            guard !known.isEmpty else { throw Failure("\(text) There is none at all; see: inbox list") }
            throw Failure("\(text) The newest are:\n\(candidates(known, idLength: 6))")
        default:
            // As many characters as it takes to tell them apart.
            var length = max(6, reference.count + 1)
            while length < 64, Set(matches.map { $0.id.suffix(length) }).count < matches.count { length += 1 }
            throw Failure(
                """
                \(matches.count) messages have an id that ends in \(quoted(reference)). Which one?
                \(candidates(matches, idLength: length))
                """
            )
        }
    }

    private func matches(_ reference: String) -> [Message] {
        guard !reference.isEmpty else { return [] }
        if let exact = known.first(where: { $0.id == reference }) { return [exact] }
        return known.filter { $0.id.hasSuffix(reference) }
    }

    private func candidates(_ messages: [Message], idLength: Int) -> String {
        messages.prefix(5).map { message in
            "  \(message.id.suffix(idLength))  \(message.headline.cut(to: 60))"
        }.joined(separator: "\n")
    }

    private func quoted(_ text: String) -> String { "\"\(text.plainLine.cut(to: 40))\"" }
}

extension Message {
    /// What stands for the message on one line: its title, or else the beginning of its text.
    var headline: String {
        let title = title.plainLine
        if !title.isEmpty { return title }
        let body = body.plainLine
        if !body.isEmpty { return body }
        return media.map { $0.alt?.plainLine ?? "" }.flatMap { $0.isEmpty ? nil : $0 } ?? "(no text)"
    }
}

extension MessageReferences {
    /// The messages that references name. Where this device doesn't know one, the server is asked once.
    ///
    /// - Throws: ``Failure`` for an ending that no message has, or more than one; `InboxError`.
    static func find(_ references: [String], in inbox: Inbox, offline: Bool) async throws -> [Message] {
        var known = try await MessageReferences(in: inbox)
        if !known.knowsAll(references), !offline {
            let outcome = try await SyncOutcome.trying(inbox, offline: false)
            if let reason = outcome.reason { Output.note("inbox: Not up to date: \(reason).") }
            known = try await MessageReferences(in: inbox)
        }
        return try known.resolve(references)
    }

    private init(in inbox: Inbox) async throws {
        let active = try await inbox.messages(.active)
        known = try await active + inbox.messages(.deleted)
    }
}
