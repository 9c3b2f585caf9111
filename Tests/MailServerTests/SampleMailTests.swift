import Foundation
import Groundwork
import LinePrograms
import RunningMailServer
import Testing

@Suite(.timeLimit(.minutes(10))) struct SampleMailTests {
    /// A value that Cyrus returns for a sample, where it isn't obvious.
    private struct Fact {
        let sample: SampleMail
        /// A member of the response, as a JSON pointer.
        let pointer: String
        /// Nil if there is no such member.
        let value: JSON?

        init(_ sample: SampleMail, _ pointer: String, _ value: JSON?) {
            (self.sample, self.pointer, self.value) = (sample, pointer, value)
        }
    }

    private static let facts = [
        Fact(.alternative, "/textBody/0/type", "text/plain"),
        Fact(.alternative, "/htmlBody/0/type", "text/html"),
        Fact(.encodedHeaders, "/from/0/name", "Jürgen Müller"),
        Fact(.encodedHeaders, "/cc/0/name", "comma, in the name"),
        Fact(.splitCharacters, "/subject", "Café 🎉"),
        Fact(.emoji, "/subject", "Congratulations 🎉👨‍👩‍👧‍👦"),
        Fact(.iso2022JP, "/subject", "会議のお知らせ"),
        Fact(.encodedFileNames, "/attachments/1/name", "Ein sehr langer Näme.txt"),
        Fact(.outlookFileNames, "/attachments/1/name", "Ein langer Näme.txt"),
        Fact(.outlookFileNames, "/attachments/5/name", "../../../etc/passwd"),
        Fact(.inlineImages, "/attachments/0/cid", "logo@example.com"),
        Fact(.inlineImages, "/textBody/1/partId", "3"),
        Fact(.invitation, "/attachments/0/type", "text/calendar"),
        Fact(.forwarded, "/attachments/0/type", "message/rfc822"),
        Fact(.largeAttachment, "/attachments/0/size", JSON(20 << 20)),
        Fact(.manyRecipients, "/to/2999/email", "person3000@example.com"),
        Fact(.manyRecipients, "/subject", "To all"),
        // After a header of 100 KB, Cyrus finds no other header.
        Fact(.headersTooLong, "/subject", .null),
        Fact(.rawUTF8Headers, "/subject", "Grüße 🎉 ohne Kodierung"),
        Fact(.longReferences, "/references/199", "thread-200@samples.example"),
        // Null or absent.
        Fact(.noDate, "/sentAt", .null),
        Fact(.brokenDate, "/sentAt", .null),
        Fact(.noSubject, "/subject", .null),
        Fact(.emptyFrom, "/from", .null),
        Fact(.groups, "/to", []),
        Fact(.attachmentOnly, "/textBody", []),
        Fact(.emptyBody, "/preview", nil),
        Fact(.boundaryNeverFound, "/preview", nil),
        // The client corrects these.
        Fact(.asciiThatIsUTF8, "/bodyValues/1/isEncodingProblem", true),
        Fact(.utf8ThatIsLatin1, "/bodyValues/1/isEncodingProblem", true),
        Fact(.latin1ThatIsWindows, "/bodyValues/1/value", "“Grüße” für 5 €\n"),
        Fact(.windows1252, "/bodyValues/1/value", "“Grüße” für 5 €\n"),
        Fact(.byteOrderMark, "/bodyValues/1/value", "\u{FEFF}Grüße aus München\n"),
        Fact(.unknownCharset, "/textBody/0/charset", "us-ascii"),
        Fact(.repeatedHeaders, "/subject", "The second"),
        Fact(.missingEndBoundary, "/attachments/0/name", "cut.pdf"),
    ]

    @Test func `each sample is accepted or rejected as stated, and read as expected`() async throws {
        try await MailServer.run { server in
            let client = try server.imap()
            var accepted: [SampleMail] = []
            for sample in SampleMail.allCases {
                do {
                    try await client.append([IMAPClient.Mail(sample.bytes)])
                    accepted.append(sample)
                } catch let failure as Failure {
                    let reason = try #require(sample.refusal, "\(sample): \(failure)")
                    #expect(failure.description.contains(reason), "\(sample)")
                }
            }
            #expect(accepted == SampleMail.allCases.filter { $0.refusal == nil })

            let ids = try await client.mails().map(\.emailID)
            let found = try await server.jmap("Email/query")["ids"]?.arrayValue?.compactMap(\.stringValue) ?? []
            #expect(Set(found) == Set(ids))
            let answer = try await server.jmap("Email/get", ["ids": JSON(ids), "fetchAllBodyValues": true])
            let emails = answer["list"]?.arrayValue ?? []
            let messageIDs: [String] = emails.map { $0["messageId"]?.arrayValue?.first?.stringValue ?? "" }
            #expect(messageIDs == accepted.map { "\($0)@samples.example" })

            let bySample = Dictionary(uniqueKeysWithValues: zip(accepted, emails))
            for fact in Self.facts {
                let email = try #require(bySample[fact.sample])
                #expect(email.value(at: fact.pointer) == fact.value, "\(fact.sample) \(fact.pointer)")
            }
            for (sample, email) in bySample {
                let blob = try #require(email["blobId"]?.stringValue)
                let download = try await server.http("GET", "/jmap/download/alice/\(blob)/mail?accept=message/rfc822")
                #expect(download.body == sample.bytes, "\(sample)")
            }
        }
    }

    @Test(arguments: [
        (SampleThread.bySubject, [0, 1, 2, 3]), (.subjectChanged, [0, 1]), (.answerFirst, [0, 0]),
        (.joined, [0, 1, 0]), (.sameMessageID, [0, 0]), (.gap, [0, 0]),
    ])
    func `the mails of a sample are grouped into the expected threads`(
        thread: SampleThread,
        expected: [Int]
    ) async throws {
        try await MailServer.run { server in
            let client = try server.imap()
            for mail in thread.mails { try await client.append([IMAPClient.Mail(mail)]) }
            let ids = try await client.mails().map(\.threadID)
            #expect(ids.map { ids.firstIndex(of: $0) } == expected)
        }
    }
}

extension JSON {
    /// The value at a JSON pointer (RFC 6901).
    fileprivate func value(at pointer: String) -> JSON? {
        pointer.split(separator: "/").reduce(self as JSON?) { value, step in
            guard let elements = value?.arrayValue else { return value?[String(step)] }
            return Int(step).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        }
    }
}
