import Groundwork
import RunningMailServer

@testable import InboxMail
@testable import Replica

extension Mail {
    /// Returns the threads stored on the device. Reading them doesn't create a slice.
    func storedThreads() async throws -> [MailThread] {
        try await store.read { db in try StoreQuery(Query(), .thread).fetch(db) }
    }

    /// Returns the subjects of the threads stored on the device, sorted.
    func storedSubjects() async throws -> [String] { try await storedThreads().map(\.subject).sorted() }

    /// Returns the number of slices that aren't dropped.
    func sliceCount() async throws -> Int {
        try await store.read { db in try db.number("SELECT count(*) FROM slice WHERE NOT isDropped") }
    }
}

extension FaultyTransport {
    /// The ids of the mails whose headers were requested, repeated for repeated requests.
    var requestedMailIDs: [String] {
        log.flatMap { text -> [String] in
            let calls = (try? JSON(parsing: text.utf8))?["methodCalls"]?.arrayValue ?? []
            return calls.flatMap { call -> [String] in
                guard let call = call.arrayValue, call[0].stringValue == "Email/get",
                    call[1]["properties"]?.arrayValue?.contains("preview") ?? false
                else { return [] }
                return call[1]["ids"]?.arrayValue?.compactMap(\.stringValue) ?? []
            }
        }
    }
}

/// Returns a mail with a reference to the mail that it answers.
func plainMail(
    _ number: Int,
    _ subject: String,
    answers: Int? = nil,
    hasAttachment: Bool = false,
    flags: [String] = []
) -> IMAPClient.Mail {
    var lines = [
        "From: Anna <anna@example.com>", "To: alice@example.com", "Subject: \(subject)",
        "Message-ID: <m\(number)@slices.example>",
    ]
    if let answers {
        lines += ["In-Reply-To: <m\(answers)@slices.example>", "References: <m\(answers)@slices.example>"]
    }
    if hasAttachment {
        lines += [
            "MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: text/plain", "",
            "Text \(number).",
            "--b", "Content-Type: application/pdf; name=a.pdf", "Content-Disposition: attachment; filename=a.pdf",
            "Content-Transfer-Encoding: base64", "", "QUJD", "--b--",
        ]
    } else {
        lines += ["", "Text \(number)."]
    }
    let text = lines.joined(separator: "\r\n") + "\r\n"
    return IMAPClient.Mail(Array(text.utf8), flags: flags, date: 1_772_400_000 + number * 60)
}
