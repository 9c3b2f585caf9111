import Foundation
import Groundwork
import RunningMailServer
import Testing

@testable import InboxMail

/// The presentation of unusual mails after a real server has parsed them.
@Suite(.timeLimit(.minutes(10))) struct MailShapeTests {
    private struct Shown: Sendable {
        let mail: MailMessage
        let body: MailBody
    }

    /// Runs a test with a device that has synced all samples that a server accepts, from one mailbox.
    private func withSamples(
        _ test: (_ device: TestDevice, _ shown: (SampleMail) throws -> Shown) async throws -> Void
    ) async throws {
        try await MailServer.run { server in
            let samples = SampleMail.allCases.filter { $0.refusal == nil }
            try await server.imap().append(samples.map { IMAPClient.Mail($0.bytes) })
            let device = try await TestDevice(server)
            try await device.mail.sync()
            let mails = try await device.mail.messages()
            let bodies = try await device.mail.bodies(of: mails.map(\.id))
            let byID = Dictionary(uniqueKeysWithValues: mails.map { ($0.messageIDs.first ?? "", $0) })
            try await test(device) { sample in
                let mail = try #require(byID["\(sample)@samples.example"], "\(sample)")
                return Shown(mail: mail, body: try #require(bodies[mail.id], "\(sample)"))
            }
            await device.end()
        }
    }

    /// Parts of the expected texts.
    private static let texts: [(SampleMail, String)] = [
        (.alternative, "Café at three?"), (.htmlOnly, "Total: 1 234,50 € — due in 14 days."),
        (.newsletter, "Read more »"),
        (.emoji, "Thanks 🎉 from all of us 👨‍👩‍👧‍👦 — see you in 🇩🇪!"), (.rightToLeft, "שלום אנה"),
        (.signed, "This text is signed."),
        (.inlineImages, "design mailing list"), (.invitation, "You are invited: Planning, 10 March, 10:00"),
        (.bounce, "could not be delivered"), (.forwarded, "See below."), (.deepParts, "At the bottom."),
        (.latin1ThatIsWindows, "“Grüße” für 5 €"), (.windows1252, "“Grüße” für 5 €"), (.koi8R, "Привет, встреча"),
        (.iso2022JP, "明日の会議は十時からです。"), (.gb2312, "价格表"), (.unknown8bit, "Grüße aus München"),
        (.byteOrderMark, "Grüße aus München"), (.htmlOtherCharset, "Grüße"),
        (.missingEndBoundary, "The end is missing."),
        (.base64Garbage, "Hello"), (.quotedPrintableGarbage, "100=% sure =ZZ ä \u{FFFD} lower ä at the end"),
        (.contentTypeGarbage, "Is this text?"), (.partWithoutHeaders, "A part without headers."),
    ]

    private static let unreadable: Set<SampleMail> = [
        .asciiThatIsUTF8, .utf8ThatIsLatin1, .unknownCharset, .base64Garbage, .quotedPrintableGarbage, .unknownEncoding,
    ]

    @Test func `text is found in every packaging and encoding, or marked as unreadable`() async throws {
        try await withSamples { _, shown in
            for (sample, text) in Self.texts {
                let body = try shown(sample).body
                #expect(body.text.contains(text), "\(sample)")
            }
            for sample in SampleMail.allCases where sample.refusal == nil {
                let body = try shown(sample).body
                #expect(body.isEncodingProblem == Self.unreadable.contains(sample), "\(sample)")
            }
        }
    }

    @Test func `headers and file names are decoded and may be missing`() async throws {
        try await withSamples { _, shown in
            let encoded = try shown(.encodedHeaders).mail
            #expect(encoded.subject.hasPrefix("Grüße für 5€ and “quotes”"))
            #expect(encoded.from.map(\.name) == ["Jürgen Müller"])
            #expect(encoded.to.map(\.name) == ["Šimon", "Иван", "In quotes, which is wrong"])
            #expect(encoded.cc.map(\.name) == ["comma, in the name"])
            #expect(try shown(.splitCharacters).mail.subject == "Café 🎉")
            #expect(try shown(.rawUTF8Headers).mail.subject == "Grüße 🎉 ohne Kodierung")
            #expect(try shown(.groups).mail.cc.map(\.email) == ["bob", "carol", "dave"].map { "\($0)@example.com" })
            #expect(try shown(.manyRecipients).mail.to.count == 3_000)
            let references = try shown(.longReferences).mail.references
            #expect(references == (1...200).map { "thread-\($0)@samples.example" })
            for sample in [SampleMail.noDate, .brokenDate] { #expect(try shown(sample).mail.sentAt == nil) }
            let empty = try shown(.emptyFrom).mail
            #expect(empty.from.isEmpty && empty.to.isEmpty && empty.subject.isEmpty)
            func files(_ sample: SampleMail) throws -> [String?] { try shown(sample).body.attachments.map(\.name) }
            let decoded = ["Büro €.txt", "Ein sehr langer Näme.txt", "fallback.txt", "März.txt", "Näme.txt"]
            #expect(try files(.encodedFileNames) == decoded)
            #expect(
                try files(.outlookFileNames) == [
                    "Büro.txt", "Ein langer Näme.txt", "Büro roh.txt", "no quotes.txt", "path.txt", "passwd", nil,
                    "Näme.txt",
                ]
            )
            #expect(try files(.missingEndBoundary) == ["cut.pdf"])
            #expect(try files(.attachmentOnly) == ["scan.pdf"])
            let invitation = try shown(.invitation).body.attachments
            #expect(invitation.map(\.type) == ["text/calendar", "application/ics"])
        }
    }

    @Test func `every file of every mail can be downloaded`() async throws {
        try await withSamples { device, shown in
            for sample in SampleMail.allCases where sample.refusal == nil {
                let body = try shown(sample).body
                for file in body.attachments + body.inlineFiles {
                    let place = try await device.mail.download(file)
                    #expect(try Data(contentsOf: place).count == file.size, "\(sample): \(file)")
                }
            }
        }
    }
}
