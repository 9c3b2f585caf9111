import Testing

@testable import InboxMail

/// The mail on the server that has a draft's file, when mails are about to be destroyed.
@Suite(.timeLimit(.minutes(5))) struct DraftFileSourcesTests {
    /// A draft with one file.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let document: DraftDocument
        let destroyed: [String]
        /// The mails on the server, and whether they have the file.
        var server: [String: Bool] = [:]
        /// The mails to read; nil if the file doesn't depend on those to destroy.
        var read: [String]?
        /// The mail that has the file afterwards; nil if the file belongs to none.
        var source: String?
        var staying: [String] = []
    }

    static let cases: [Case] = [
        Case(
            testDescription: "on the device",
            document: document { $0.text.files[0].isOnDevice = true },
            destroyed: ["old"]
        ),
        Case(
            testDescription: "not uploaded",
            document: document(of: "old", saved: "new") { $0.text.files[0].blobID = nil },
            destroyed: ["old"],
            source: "old"
        ),
        Case(
            testDescription: "of a mail that stays",
            document: document(of: "answered", saved: "new"),
            destroyed: ["old"],
            source: "answered"
        ),
        Case(
            testDescription: "in the new version",
            document: document(of: "old", saved: "new"),
            destroyed: ["old", "older"],
            server: ["old": true, "older": false, "new": true],
            read: ["new"],
            source: "new"
        ),
        Case(
            testDescription: "not in the new version, which has been saved",
            document: document(of: "old", saved: "new"),
            destroyed: ["old"],
            server: ["old": true, "new": false],
            read: ["new"],
            source: "old"
        ),
        Case(
            testDescription: "of an earlier document",
            document: document(of: nil, saved: "new"),
            destroyed: ["old"],
            server: ["old": true, "new": true],
            read: ["new"],
            source: "new"
        ),
        Case(
            testDescription: "in the only version",
            document: document(of: "old", saved: "old"),
            destroyed: ["old"],
            server: ["old": true],
            read: [],
            source: "old",
            staying: ["old"]
        ),
        Case(
            testDescription: "in the held mail and in the version that it replaces",
            document: document(of: "old") { $0.job.hold = hold },
            destroyed: ["old"],
            server: ["old": true, "held": true],
            read: ["held"],
            source: "held"
        ),
        Case(
            testDescription: "in the held mail alone",
            document: document(of: "held") { ($0.job.included, $0.job.unsubmitted) = (["held"], ["held"]) },
            destroyed: ["held"],
            server: ["held": true],
            read: [],
            source: "held",
            staying: ["held"]
        ),
        Case(
            testDescription: "in the held mail, which stays",
            document: document(of: "held") { $0.job.hold = hold },
            destroyed: ["old"],
            server: ["old": true, "held": true],
            read: ["held", "old"],
            source: "held"
        ),
        Case(
            testDescription: "in the held mail, which is gone, and in a version",
            document: document(of: "held") { $0.job.reportedMails = ["held"] },
            destroyed: ["old", "older"],
            server: ["old": false, "older": true],
            read: ["held", "old", "older"],
            source: "older",
            staying: ["older"]
        ),
        Case(
            testDescription: "in the held mail, which was to be destroyed and is gone, and in a version",
            document: document(of: "held"),
            destroyed: ["held", "old"],
            server: ["old": true],
            read: ["held", "old"],
            source: "old",
            staying: ["old"]
        ),
        Case(
            testDescription: "in no mail any more",
            document: document(of: "held") { $0.job.reportedMails = ["held"] },
            destroyed: ["old"],
            server: ["old": false],
            read: ["held", "old"],
            source: "held"
        ),
        Case(
            testDescription: "of a replaced text, in the new version",
            document: document(of: "old", saved: "new", change: replaceText),
            destroyed: ["old"],
            server: ["old": true, "new": true],
            read: ["new"],
            source: "new"
        ),
        Case(
            testDescription: "of a replaced text alone",
            document: document(of: "old", saved: "new", change: replaceText),
            destroyed: ["old", "older"],
            server: ["old": true, "older": true, "new": false],
            read: ["new"],
            source: "old",
            staying: ["old"]
        ),
        Case(
            testDescription: "of a replaced text of a draft that was sent",
            document: document(of: "old") {
                replaceText(&$0)
                $0.job.outcome = .sent(emailID: "sent", at: 0)
            },
            destroyed: ["old"],
            server: ["old": true],
            read: [],
            source: "old",
            staying: ["old"]
        ),
        Case(
            testDescription: "of a draft that was sent",
            document: document(of: "old") { $0.job.outcome = .sent(emailID: "sent", at: 0) },
            destroyed: ["old", "older"],
            server: ["old": true, "older": true],
            read: [],
            source: "old"
        ),
        Case(
            testDescription: "of a discarded draft",
            document: document(of: "old", saved: "old") { $0.job.order = .discard },
            destroyed: ["old", "older"],
            server: ["old": true, "older": true],
            read: [],
            source: "old"
        ),
        Case(
            testDescription: "of a draft that is to be discarded once the server doesn't hold it any more",
            document: document(of: "held") { ($0.job.order, $0.job.hold) = (.discard, hold) },
            destroyed: ["old"],
            server: ["old": true],
            read: ["held", "old"],
            source: "old",
            staying: ["old"]
        ),
    ]

    @Test(arguments: cases)
    func `a draft's file is one of a mail that stays, or its own mail stays`(_ row: Case) {
        var document = row.document
        document.job.leftovers = row.destroyed
        let sources = DraftFileSources(of: document, destroying: row.destroyed)
        #expect(sources?.mailsToRead == row.read)
        guard let sources else { return }
        var found: [String: [MailFile]] = [:]
        for id in sources.mailsToRead { found[id] = row.server[id].map { $0 ? [Self.file(in: id)] : [] } }
        let staying = sources.apply(found, to: &document)
        #expect(staying == row.staying)
        #expect(document.files.map(\.mailID) == [row.source])
        #expect(document.files.map(\.blobID) == [row.source.map { Self.file(in: $0).blobID }])
        // What stays is destroyed once there is another version.
        #expect(document.job.included == row.staying)
        #expect(document.job.leftovers == row.destroyed.filter { !row.staying.contains($0) })
    }

    @Test func `a file that is removed while mails are read keeps none of them`() throws {
        var document = Self.document(of: "old", saved: "old")
        document.job.leftovers = ["old"]
        let sources = try #require(DraftFileSources(of: document, destroying: ["old"]))
        document.text.files = []
        let staying = sources.apply([:], to: &document)
        #expect(staying.isEmpty && document.job.leftovers == ["old"])
    }

    /// A mail within a mail is sent as a file of unknown type, and a name in one line.
    @Test func `a file is found under the name and the type that it was sent with`() {
        func file(_ blobID: String, _ name: String, _ type: String) -> MailFile {
            MailFile(blobID: blobID, name: name, type: type, size: 10, contentID: nil, isInline: false)
        }
        var text = DraftText()
        text.add([file("lost", "Plans  for May.eml", "message/rfc822")], ofMail: "forwarded")
        let version = [
            file("other", "Plans.eml", "text/plain"), file("found", "Plans for May.eml", "application/octet-stream"),
        ]
        let isFound = text.takeBlobs(of: version, "version") { _ in true }
        #expect(isFound && text.files.map(\.blobID) == ["found"] && text.files.map(\.mailID) == ["version"])
    }

    // MARK: - Drafts

    private static let hold = DraftJob.Hold(submissionID: "s1", emailID: "held", due: 3_600_000, isMoved: true)

    private static func file(in mail: String) -> MailFile {
        MailFile(
            blobID: "the file in \(mail)",
            name: "a.txt",
            type: "text/plain",
            size: 10,
            contentID: nil,
            isInline: false
        )
    }

    /// A draft with a file.
    ///
    /// - Parameters:
    ///   - mail: The mail that the file is a part of.
    ///   - saved: The saved version.
    private static func document(
        of mail: String? = nil,
        saved: String? = nil,
        change: (inout DraftDocument) -> Void = { _ in }
    ) -> DraftDocument {
        var document = DraftDocument(id: "d1", text: DraftText(), job: DraftJob(token: "d1", editedAt: 0))
        document.text.add([file(in: mail ?? "another")], ofMail: mail ?? "another")
        document.text.files[0].mailID = mail
        document.job.saved = saved.map { DraftJob.Saved(revision: 0, emailID: $0, at: 0) }
        change(&document)
        return document
    }

    /// Replaces the text by one without the file.
    private static func replaceText(_ document: inout DraftDocument) {
        document.replacedTexts = [DraftDocument.Replaced(id: "d1-1", text: document.text, editedAt: 0)]
        document.text = DraftText()
    }
}
