import Groundwork
import JMAP
import Replica
import Testing

@testable import InboxMail

/// Which errors of a server are final, which ones are retried, and which ones leave open whether a mail was sent.
///
/// Servers relay the reply of the next one in their own words, and Cyrus 3.6 under other types than RFC 8621 has.
@Suite(.timeLimit(.minutes(5))) struct RefusalTests {
    enum Meaning: Equatable, Sendable {
        case refused(DraftRefusal.Code)
        case temporary
        /// The mail may have been sent: it is searched for.
        case undecided
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let type: String
        let words: String?
        var maximum: Int?
        let meaning: Meaning

        init(_ type: String, _ words: String?, maximum: Int? = nil, _ meaning: Meaning) {
            (self.type, self.words, self.maximum, self.meaning) = (type, words, maximum, meaning)
        }

        var testDescription: String { "\(type) \(words ?? "without words")" }

        var json: JSON {
            var object = JSONObject([("type", .string(type))])
            object["description"] = words.map(JSON.string)
            object["maxRecipients"] = maximum.map { JSON($0) }
            return .object(object)
        }
    }

    private func meaning(_ row: Row) -> Meaning? {
        if DraftAnswers.isUndecided(row.json) { return .undecided }
        switch DraftAnswers.refusal(row.json, emailID: "m1") {
        case .refused(let refusal, let id): return id == "m1" ? .refused(refusal.code) : nil
        case .postponed(_, let id): return id == "m1" ? .temporary : nil
        default: return nil
        }
    }

    /// The errors of Cyrus: a recipient that is refused with 550 is one too many of none, and one that is refused with
    /// 451 makes the whole mail forbidden, without the reply.
    @Test(arguments: [
        Row("tooManyRecipients", nil, maximum: 0, .refused(.recipients)),
        Row("tooManyRecipients", "550 5.1.1 no such user", maximum: 0, .refused(.recipients)),
        Row("tooManyRecipients", nil, maximum: 2, .refused(.recipients)),
        Row("forbiddenToSend", nil, .temporary),
        Row("forbiddenToSend", "", .temporary),
        Row("forbiddenToSend", "451 4.7.1 greylisted", .temporary),
        Row("forbiddenToSend", "554 5.7.1 spam", .refused(.forbidden)),
        Row("smtpProtocolError", "554 5.7.1 spam", .refused(.other)),
        Row("smtpProtocolError", "451 4.7.1 greylisted", .temporary),
        Row("smtpProtocolError", "354 go ahead", .undecided),
        Row("smtpProtocolError", nil, .undecided),
    ]) func `errors of Cyrus mean what the next server has replied`(row: Row) {
        #expect(meaning(row) == row.meaning)
    }

    /// Whatever the type is: the words begin with the reply, or have both of its codes.
    @Test(arguments: [
        Row("invalidRecipients", "451 4.3.0 later", .temporary),
        Row("invalidRecipients", "4.3.0 later", .temporary),
        Row("invalidRecipients", "450-4.2.0 busy", .temporary),
        Row("invalidRecipients", "bob@example.org: 451 4.7.1 greylisted", .temporary),
        Row("forbiddenToSend", "The relay says: 451 4.7.1 greylisted", .temporary),
        Row("forbiddenToSend", "The relay says: 554 5.7.1 spam", .refused(.forbidden)),
        Row("overQuota", "host mx.example.org said: 452 4.2.2 mailbox full", .temporary),
        Row("unheardOf", "Relay: 421-4.3.2 closing", .temporary),
    ]) func `a reply within the words of a refusal decides whether it is temporary`(row: Row) {
        #expect(meaning(row) == row.meaning)
    }

    /// A person reads these words, and can send the mail again. A final refusal isn't retried for a day.
    @Test(arguments: [
        Row("forbiddenToSend", "You may send 450 mails a day.", .refused(.forbidden)),
        Row("forbiddenToSend", "Sending is off for this account", .refused(.forbidden)),
        Row("tooLarge", "Larger than 4.5.1 allows", .refused(.tooLarge)),
        Row("invalidRecipients", "a: 451 4.7.1 later, b: 550 5.1.1 unknown", .refused(.recipients)),
        Row("forbiddenFrom", nil, .refused(.sender)),
        Row("tooManyRecipients", nil, maximum: 100, .refused(.tooManyRecipients)),
    ]) func `words without an unambiguous reply leave the refusal to the type`(row: Row) {
        #expect(meaning(row) == row.meaning)
    }

    /// A reply to one recipient doesn't say what became of the others: only words that begin with it are the answer to
    /// the mail.
    @Test(arguments: [
        Row("serverFail", nil, .undecided), Row("serverPartialFail", "timeout", .undecided),
        Row("serverFail", "lost the connection after: 451 4.7.1 later", .undecided),
        Row("smtpProtocolError", "lost the connection, 554 5.7.1", .undecided),
        Row("serverFail", "554 5.7.1 spam", .refused(.other)),
        Row("serverFail", "451 4.7.1 later", .temporary),
    ]) func `a failure that only mentions a reply leaves open whether the mail was sent`(row: Row) {
        #expect(meaning(row) == row.meaning)
    }

    private func response(_ answers: [JSON]) throws -> Response {
        let json: JSON = ["methodResponses": .array(answers), "sessionState": "s1"]
        return try Response(parsing: json.utf8)
    }

    /// A mail that counts as refused would be sent again, and one that counts as taken back would be sent twice.
    @Test(arguments: [false, true])
    func `an answer by which a thing was done and wasn't leaves open which`(isContradiction: Bool) throws {
        let done: JSON = ["mail": ["id": "m1"]]
        let refused: JSON = ["type": "forbiddenToSend", "description": "no"]
        let none: JSON = .object(JSONObject())
        let creation = try response([
            ["Email/set", ["created": isContradiction ? done : none, "notCreated": ["mail": refused]], "create"]
        ])
        let submitted: JSON = isContradiction ? ["submission": ["id": "s1"]] : none
        let submission = try response([
            ["Email/set", ["created": done], "create"],
            ["EmailSubmission/set", ["created": submitted, "notCreated": ["submission": refused]], "submit"],
        ])
        let updated: JSON = isContradiction ? ["s1": .null] : none
        let cancellation = try response([
            ["EmailSubmission/set", ["updated": updated, "notUpdated": ["s1": ["type": "cannotUnsend"]]], "cancel"]
        ])
        for answer in [creation, submission] {
            if isContradiction {
                #expect(throws: SyncError.self) { try DraftAnswers.send(answer) }
            } else if case .refused(let refusal, _) = try DraftAnswers.send(answer) {
                #expect(refusal.code == .forbidden)
            } else {
                Issue.record("not refused")
            }
        }
        if isContradiction {
            #expect(throws: SyncError.self) { try DraftAnswers.cancellation(cancellation, of: "s1") }
        } else {
            #expect(try DraftAnswers.cancellation(cancellation, of: "s1") == .tooLate)
        }
    }
}
