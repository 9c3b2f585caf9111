import Foundation
import Groundwork
import Testing

@testable import InboxMail
@testable import inbox

/// The drafts in the terminal.
@Suite(.timeLimit(.minutes(5))) struct DraftTableTests {
    @Test(arguments: [60, 100])
    func `a draft that the server refuses to save is listed with the reason`(width: Int) throws {
        let state = DraftState.unsaved(DraftRefusal(.overQuota, "The account has no space left. Delete some mails."))
        let draft = MailDraft(id: "d1", DraftText(), updatedAt: Date(timeIntervalSince1970: 0), state: state)
        let lines = DraftTable(width: width, now: Date(timeIntervalSince1970: 60)).lines([draft])
        #expect(lines.contains { $0.contains("unsaved") })
        #expect(
            DraftTable.sentence(state)
                == "It is on this device alone. The account has no space left. Delete some mails."
        )
        #expect(draft.json["state"] == "unsaved" && draft.json["code"] == "overQuota")
        #expect(draft.json["reason"]?.stringValue?.contains("no space left") ?? false)
        // As `inbox mail compose` says it.
        let kept = "Draft d1 saved. It is on this device alone. The account has no space left. Delete some mails."
        #expect(DraftSender.kept(draft, nil) == kept && DraftSender.kept(draft, "offline") == kept)
    }

    @Test func `a discarded draft that the server refuses to remove is named with the reason`() {
        let refusal = DraftRefusal(.notDiscarded, "The server refuses to remove it (forbidden).")
        let time = Date(timeIntervalSince1970: 0)
        let draft = MailDraft(id: "d1", DraftText(), updatedAt: time, state: .refused(refusal))
        #expect(DraftTable.sentence(draft) == "The server refuses to remove it (forbidden).")
        #expect(draft.json["state"] == "refused" && draft.json["code"] == "notDiscarded")
        #expect(DraftReferences.reason(keeping: draft) == refusal.description)
        #expect(DraftListing(isOutbox: false, offline: true, json: false).needsSentence(draft))
    }

    @Test func `a draft that this version can't read is listed with what may have become of it`() {
        let state = DraftState.unsaved(DraftRefusal(.unreadable, "It can't be read. It may have been sent."))
        let draft = MailDraft(id: "d1", DraftText(), updatedAt: Date(timeIntervalSince1970: 0), state: state)
        #expect(DraftTable.sentence(draft) == "It can't be read. It may have been sent.")
        #expect(draft.lockReason == DraftTable.sentence(draft))
        #expect(draft.json["code"] == "unreadable")
    }

    @Test(arguments: [60, 80, 120])
    func `the table has the name of each state as the JSON has it, and its details`(width: Int) throws {
        let now = Date(timeIntervalSince1970: 100_000)
        let refusal = DraftRefusal(.other, "No.")
        let states: [(DraftState, String)] = [
            (.draft, "draft, changed now"), (.unsaved(refusal), "unsaved"),
            (.waiting(until: now), "waiting"),
            (.waiting(until: now.addingTimeInterval(10)), "waiting, to be sent in a "),
            (.uploading(0.4), "uploading, 40 %"), (.sending, "sending"), (.sent, "sent"),
            (.refused(refusal), "refused"), (.unknown(since: now), "unknown, may have been sent"),
        ]
        for (state, text) in states {
            let draft = MailDraft(id: "d1", DraftText(), updatedAt: now, state: state)
            let lines = DraftTable(width: width, now: now).lines([draft])
            #expect(lines.contains { $0.contains(text) }, "\(lines)")
            let name = try #require(draft.json["state"]?.stringValue)
            #expect(text.hasPrefix(name), "\(name)")
        }
        let earlier = MailDraft(id: "d1", DraftText(), updatedAt: now.addingTimeInterval(-7_200), state: .draft)
        #expect(DraftTable(width: width, now: now).lines([earlier]).contains { $0.contains("draft, changed 2 h ago") })
    }

    @Test func `a mail that may have been sent is listed with what was tried`() throws {
        let findings: [(SendingAttempts.Finding?, String)] = [
            (nil, "Its Message-ID is d1@example.org."),
            (.missing, "It has no mail with the Message-ID d1@example.org."),
            (.unsubmitted, "It has the mail with the Message-ID d1@example.org, not among the sent ones."),
            (.submissionGone, "It held the mail with the Message-ID d1@example.org, and holds it no longer."),
        ]
        let time = Date(timeIntervalSince1970: 100_000)
        for (finding, found) in findings {
            var attempts = SendingAttempts(
                messageID: "d1@example.org",
                requestCount: 1,
                firstRequestAt: time,
                lastRequestAt: time.addingTimeInterval(60),
                finding: finding
            )
            let once = DraftTable.sentence(.unknown(since: time, attempts: attempts))
            #expect(once.contains("The server was asked to send it once. \(found) Ask a recipient"))
            (attempts.requestCount, attempts.checkCount, attempts.failure) = (3, 2, "The network is gone")
            let state = DraftState.unknown(since: time, attempts: attempts)
            let sentence = DraftTable.sentence(state)
            #expect(sentence.contains("asked to send it 3 times since ") && !sentence.contains("  "))
            #expect(sentence.contains("\(found) The last failure: The network is gone. Ask a recipient"))
            let json = MailDraft(id: "d1", DraftText(), updatedAt: time, state: state).json["attempts"]
            #expect(json?["messageId"] == "d1@example.org" && json?["requests"] == 3 && json?["checks"] == 2)
            #expect(json?["firstRequestAt"] == "1970-01-02T03:46:40Z")
            #expect(json?["lastRequestAt"] == "1970-01-02T03:47:40Z")
            #expect(json?["finding"]?.stringValue == finding?.rawValue && json?["failure"] == "The network is gone")
        }
        let earlier = MailDraft(id: "d1", DraftText(), updatedAt: time, state: .unknown(since: time))
        #expect(earlier.json["since"] != nil && earlier.json["attempts"] == nil)
        for isOutbox in [false, true] {
            let listing = DraftListing(isOutbox: isOutbox, offline: true, json: false)
            #expect(listing.needsSentence(earlier))
            #expect(!listing.needsSentence(MailDraft(id: "d2", DraftText(), updatedAt: time, state: .draft)))
        }
        #expect(DraftTable.sentence(.unknown(since: time)).contains("may have been sent. Ask a recipient"))
    }

    /// Nothing else has the addresses.
    @Test func `a sent mail whose copy lacks the hidden recipients names them`() throws {
        var text = DraftText()
        text.bcc = [DraftText.Address(email: "eve@example.org")]
        var draft = MailDraft(id: "d1", text, updatedAt: Date(timeIntervalSince1970: 0), state: .sent)
        draft.copyRefusal = DraftRefusal(.overQuota, "The account has no space left.")
        let sentence = DraftTable.sentence(draft)
        #expect(sentence.hasPrefix("It was sent.") && sentence.contains("eve@example.org"))
        #expect(sentence.contains("no space left") && sentence.hasSuffix("inbox mail discard d1"))
        #expect(draft.json["state"] == "sent" && draft.json["copyReason"] == "The account has no space left.")
    }

    @Test func `a sent mail that is still among the drafts is named with the reason`() {
        let time = Date(timeIntervalSince1970: 0)
        var draft = MailDraft(id: "d1", DraftText(), updatedAt: time, state: .sent)
        let listing = DraftListing(isOutbox: true, offline: true, json: false)
        #expect(!listing.needsSentence(draft))
        draft.moveRefusal = DraftRefusal(.other, "The server doesn't move it.")
        #expect(listing.needsSentence(draft))
        let sentence = DraftTable.sentence(draft)
        #expect(sentence.hasPrefix("The server doesn't move it.") && sentence.hasSuffix("inbox mail discard d1"))
        #expect(draft.json["state"] == "sent" && draft.json["moveReason"] == "The server doesn't move it.")
    }

    @Test func `a mail for later isn't shown as sent`() {
        let now = Date(timeIntervalSince1970: 60)
        for (seconds, text) in [(7_200.0, "to be sent in 2 h"), (10, "to be sent in a moment")] {
            let state = DraftState.waiting(until: now.addingTimeInterval(seconds))
            let draft = MailDraft(id: "d1", DraftText(), updatedAt: now, state: state)
            let lines = DraftTable(width: 100, now: now).lines([draft])
            #expect(lines.contains { $0.contains(text) }, "\(lines)")
        }
    }

    @Test func `a mail for later is shown with its holder, in the table and as JSON`() {
        let now = Date(timeIntervalSince1970: 60)
        var draft = MailDraft(
            id: "d1",
            DraftText(),
            updatedAt: now,
            state: .waiting(until: now.addingTimeInterval(7_200))
        )
        draft.holder = .device
        #expect(DraftTable(width: 100, now: now).lines([draft]).contains { $0.contains("to be sent in 2 h") })
        #expect(draft.json["holder"] == "device" && draft.json["isBeingTakenBack"] == nil)
        draft.holder = .server
        #expect(DraftTable(width: 100, now: now).lines([draft]).contains { $0.contains("server sends in 2 h") })
        #expect(draft.json["holder"] == "server")
        draft.isBeingTakenBack = true
        #expect(DraftTable(width: 100, now: now).lines([draft]).contains { $0.contains("being taken back") })
        #expect(draft.json["isBeingTakenBack"] == true)
    }

    @Test(arguments: [
        (MailLogin.Scheme.basic, "anna", "--server https://mail.example --user anna --password-stdin"),
        (.bearer, "an na's", "--server https://mail.example --user 'an na'\\''s' --token-stdin"),
        (.oauth, "anna@mail.example", "anna@mail.example --server https://mail.example"),
    ])
    func `the command to log in again has its arguments`(scheme: MailLogin.Scheme, user: String, text: String) throws {
        let server = try #require(URL(string: "https://mail.example"))
        let login = MailLogin(server: server, user: user, scheme: scheme, secret: "s")
        #expect(login.command == "inbox mail login \(text)")
    }

    /// A draft whose files are being uploaded isn't being sent yet.
    @Test func `only drafts that the server hasn't been asked to send can be cancelled`() {
        let refusal = DraftRefusal(.other, "")
        let states: [(DraftState, Bool)] = [
            (.waiting(until: .distantPast), true), (.uploading(0.5), true), (.sending, false), (.sent, false),
            (.draft, false), (.unsaved(refusal), false), (.refused(refusal), false),
            (.unknown(since: .distantPast), false),
        ]
        for (state, isWaiting) in states {
            let draft = MailDraft(id: "d1", DraftText(), updatedAt: .distantPast, state: state)
            #expect(draft.isWaiting == isWaiting, "\(state)")
        }
    }
}
