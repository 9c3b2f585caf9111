import Foundation
import Groundwork
import RunningMailServer
import Testing

@testable import MailComposing

/// Mails that a server makes of what was composed, as a recipient reads them.
@Suite(.timeLimit(.minutes(30))) struct ComposedMailTests {
    private static var count: Int {
        ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil ? 15 : 1_000
    }

    @Test func `a strict reader finds in every mail what was put in`() async throws {
        try await MailServer.run { server in
            let drafts = try await drafts(of: server)
            let reader = try server.reader()
            var uid = 0
            for start in stride(from: 0, to: Self.count, by: 50) {
                var mails: [ComposedMail] = []
                var files: [[[UInt8]]] = []
                for seed in start..<min(start + 50, Self.count) {
                    var random = try await RandomMail(seed: UInt64(seed)) { bytes in try await upload(bytes, to: server)
                    }
                    if seed % 4 == 0 { random.useEncodedWords() }
                    let object = random.mail.emailObject(mailboxIDs: [drafts], keywords: ["$draft"], includesBcc: true)
                    let answer = try await server.jmap("Email/set", ["create": ["mail": object]])
                    guard answer["created"]?["mail"] != nil else {
                        Issue.record("seed \(seed): \(answer["notCreated"] ?? answer)")
                        continue
                    }
                    mails.append(random.mail)
                    files.append(random.files)
                }
                let read = try await reader.mails(in: "Drafts", after: uid)
                #expect(read.count == mails.count)
                for (index, (mail, found)) in zip(mails, read).enumerated() {
                    let expected = ReadMail(mail, files: files[index])
                    let differences = expected.differences(from: found)
                    #expect(differences.isEmpty, "seed \(mail.messageID): \(differences.joined(separator: "\n"))")
                }
                uid = read.last?["uid"]?.intValue ?? uid
            }
        }
    }

    private func drafts(of server: MailServer) async throws -> String {
        let mailboxes = try await server.jmap("Mailbox/get", ["ids": .null])["list"]?.arrayValue ?? []
        let drafts = mailboxes.first { $0["role"]?.stringValue == "drafts" }
        return try #require(drafts?["id"]?.stringValue)
    }

    private func upload(_ bytes: [UInt8], to server: MailServer) async throws -> String {
        let response = try await server.http("POST", "/jmap/upload/alice/", bytes)
        return try #require(try JSON(parsing: response.body)["blobId"]?.stringValue)
    }
}

/// What a reader has to find in a mail.
private struct ReadMail {
    let fields: [(name: String, value: JSON)]

    init(_ mail: ComposedMail, files: [[UInt8]]) {
        func list(_ addresses: [EmailAddress]) -> JSON {
            .array(
                addresses.map { address in
                    let json = address.wireJSON
                    return ["name": .string(json?["name"]?.stringValue ?? ""), "email": json?["email"] ?? .null]
                }
            )
        }
        let related = mail.attachments.indices.filter { mail.html != nil && mail.attachments[$0].isInline }
        let attached = mail.attachments.indices.filter { !related.contains($0) }
        let read = (related + attached).map { index -> JSON in
            let file = mail.attachments[index]
            return [
                "name": file.plainName.map(JSON.string) ?? .null, "type": .string(file.plainType),
                "disposition": related.contains(index) ? "inline" : "attachment",
                "cid": file.contentID.map(JSON.string) ?? .null,
                "bytes": .string(Data(files[index]).base64EncodedString()),
            ]
        }
        func kinds(_ indices: [Int]) -> [String] {
            indices.map { String(mail.attachments[$0].plainType.split(separator: "/")[1]) }
        }
        func multipart(_ name: String, _ parts: [String]) -> String {
            parts.count == 1 ? parts[0] : "\(name)(\(parts.joined(separator: ", ")))"
        }
        let language = mail.language.flatMap { $0.contains(" ") ? nil : JSON.string($0) } ?? .null
        let html = multipart("related", ["html"] + kinds(related))
        let body = mail.html == nil ? "plain" : "alternative(plain, \(html))"
        fields = [
            ("faults", []), ("messageID", .string(mail.messageID)), ("date", .string(RFC3339.string(from: mail.date))),
            ("subject", .string(PlainCharacters.line(mail.subject, maxLength: SubjectPrefix.maxSubjectLength))),
            ("inReplyTo", JSON(mail.thread.inReplyTo)), ("references", JSON(mail.thread.references)),
            ("from", list([mail.from])), ("replyTo", list(mail.replyTo)), ("to", list(mail.to)), ("cc", list(mail.cc)),
            ("bcc", list(mail.bcc)), ("text", .string(mail.writtenText)),
            ("html", mail.html.map { .string(PlainCharacters.lines($0)) } ?? .null),
            ("structure", .string(multipart("mixed", [body] + kinds(attached)))), ("files", .array(read)),
            ("languages", .array(mail.html == nil ? [language] : [language, language])),
            ("sender", mail.sender.map { list([$0]) } ?? []),
        ]
    }

    /// Returns what was found that is something else.
    func differences(from found: JSON) -> [String] {
        fields.compactMap { name, value in
            found[name] == value ? nil : "\(name): \(value)\nfound: \(found[name] ?? .null)"
        }
    }
}
