import Foundation
import InboxMail

extension MailThread: Referenceable {
    static let noun = "thread"
    static let listCommand = "inbox mail list"

    /// The subject, or otherwise the beginning of the latest mail.
    var headline: String { Self.headline(subject, snippet, ifEmpty: "(no subject)") }
}

/// Resolves thread ids on the command line.
enum ThreadReferences {
    /// Returns the referenced threads. If this device doesn't know a thread, it syncs once.
    ///
    /// - Throws: ``Failure`` for an ending that matches no thread or several; `InboxError`.
    static func find(_ references: [String], in mail: Mail, offline: Bool) async throws -> [MailThread] {
        try await References.find(references, offline: offline) {
            try await matching(references, in: mail)
        } sync: {
            let outcome = try await SyncOutcome.attempt(mail, offline: false)
            return (outcome, outcome.mailReason(mail))
        }
    }

    /// Returns the id of the mail to answer of a referenced thread (`Mail.latestMessage(inThread:)`).
    ///
    /// - Throws: As ``find(_:in:offline:)``.
    static func latestMail(_ reference: String, in mail: Mail, offline: Bool) async throws -> String {
        let thread = try await find([reference], in: mail, offline: offline)[0]
        guard let latest = try await mail.latestMessage(inThread: thread.id) else {
            throw Failure("The thread \(thread.shortID) has only drafts; see: \(MailDraft.listCommand)")
        }
        return latest.id
    }

    /// Returns the threads that may match, and the newest ones for the error message. A mailbox may be too large to
    /// read all threads.
    private static func matching(_ references: [String], in mail: Mail) async throws -> [MailThread] {
        var known: [MailThread] = []
        for reference in references where !reference.isEmpty {
            known += try await mail.threads(Query(where: #Predicate { $0.id.contains(reference) }))
        }
        known += try await mail.threads(Query(limit: 5))
        var ids: Set<String> = []
        return known.filter { ids.insert($0.id).inserted }
    }
}
