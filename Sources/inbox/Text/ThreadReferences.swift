import Foundation
import InboxMail

extension MailThread: Referable {
    static let noun = "thread"
    static let listing = "inbox mail list"

    /// The subject, or else the beginning of its latest mail.
    var headline: String {
        let subject = subject.plainLine
        if !subject.isEmpty { return subject }
        let snippet = snippet.plainLine
        return snippet.isEmpty ? "(no subject)" : snippet
    }
}

/// The threads that ids on the command line mean.
enum ThreadReferences {
    /// The threads that references name. Where this device doesn't know one, the server is asked once.
    ///
    /// - Throws: ``Failure`` for an ending that no thread has, or more than one; `InboxError`.
    static func find(_ references: [String], in mail: Mail, offline: Bool) async throws -> [MailThread] {
        var known = try await matching(references, in: mail)
        if !known.knowsAll(references), !offline {
            let outcome = try await SyncOutcome.trying(mail, offline: false)
            if let reason = outcome.mailReason { Output.note("inbox: Not up to date: \(reason).") }
            known = try await matching(references, in: mail)
        }
        return try known.resolve(references)
    }

    /// A mailbox may be large: only those are read that may be meant, and the newest, to be named where none is.
    private static func matching(_ references: [String], in mail: Mail) async throws -> References<MailThread> {
        var known: [MailThread] = []
        for reference in references where !reference.isEmpty {
            known += try await mail.threads(Query(where: #Predicate { $0.id.contains(reference) }))
        }
        known += try await mail.threads(Query(limit: 5))
        var ids: Set<String> = []
        return References(known: known.filter { ids.insert($0.id).inserted })
    }
}
