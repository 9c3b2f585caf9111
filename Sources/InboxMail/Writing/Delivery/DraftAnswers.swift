import Groundwork
import JMAP
import Replica

/// Reads the answers to ``DraftRequests``.
enum DraftAnswers {
    /// Reads the mails of an `Email/get`. What isn't there has to be named: otherwise a mail that was sent would be
    /// known to be missing, and be sent again.
    static func list(_ response: Response, _ callID: String, of ids: [String]) throws(SyncError) -> [JSON] {
        let answer = try arguments(response, callID)
        guard let list = answer["list"]?.arrayValue else { throw .malformed("Email/get has no list") }
        var rest = Set(ids)
        for mail in list { if let id = mail["id"]?.stringValue { rest.remove(id) } }
        for id in answer["notFound"]?.arrayValue ?? [] { if let id = id.stringValue { rest.remove(id) } }
        guard rest.isEmpty else { throw .malformed("Email/get left out mails") }
        return list
    }

    /// The state on the server of the mails of a draft that have to be removed.
    struct Removal: Hashable, Sendable {
        /// The ids that can be removed: of drafts, or of mails that are gone.
        var ids: [String] = []
        /// The ids of mails that stay: another program has sent them, or put them into the trash.
        var kept: [String] = []
        /// The ids of those of ``ids`` that are gone.
        var missing: [String] = []
        /// The ids of those of ``ids`` that have the `Message-ID` of the mail to send.
        var attempts: [String] = []
        /// The `Message-ID`s of those of ``ids`` that aren't gone, by their ids; none for one without.
        var messageIDs: [String: String] = [:]
        /// The state of the account's mails in which this is so.
        var state: String

        /// Leaves mails where they are.
        mutating func keep(_ others: Set<String>) {
            kept += ids.filter(others.contains)
            ids.removeAll(where: others.contains)
            attempts.removeAll(where: others.contains)
        }
    }

    /// Reads the answer to a request for the places of mails.
    ///
    /// - Throws: ``SyncError``.
    static func removal(_ response: Response, of ids: [String], trash: String?) throws(SyncError) -> Removal {
        guard let state = try arguments(response, "places")["state"]?.stringValue else {
            throw .malformed("Email/get has no state")
        }
        var removal = Removal(state: state)
        var mails: [String: JSON] = [:]
        for mail in try list(response, "places", of: ids) { mails[mail["id"]?.stringValue ?? ""] = mail }
        for id in ids {
            guard let mail = mails[id] else {
                removal.ids.append(id)
                removal.missing.append(id)
                continue
            }
            guard let keywords = mail["keywords"]?.objectValue, let boxes = mail["mailboxIds"]?.objectValue else {
                throw .malformed("Email/get left out properties")
            }
            let isInTrash = !boxes.isEmpty && boxes.names.allSatisfy { $0 == trash }
            if keywords[Keyword.draft]?.boolValue ?? false, !isInTrash {
                removal.ids.append(id)
                let messageID = mail["messageId"]?.arrayValue?.first?.stringValue
                removal.messageIDs[id] = messageID
                if messageID.flatMap(DraftToken.read)?.isForSending ?? false { removal.attempts.append(id) }
            } else {
                removal.kept.append(id)
            }
        }
        return removal
    }

    /// The state of the submissions that an answer names; nil if the server doesn't report it.
    static func submissionState(_ answer: Response.Invocation?, _ name: String) -> String? {
        guard let answer, answer.name != "error" else { return nil }
        return answer.arguments.value[name]?.stringValue
    }

    /// Reads the answer to a request to send.
    ///
    /// - Throws: ``SyncError`` if the outcome isn't known.
    static func send(_ response: Response) throws(SyncError) -> SendAnswer {
        guard let create = response.answer(to: "create") else { throw .malformed("no answer to Email/set") }
        if create.name == "error" {
            let error = MethodError(json: create.arguments.value)
            switch error.type {
            case "stateMismatch": return .stateMismatch
            case "requestTooLarge": return .refused(DraftRefusal(.tooLarge, Self.tooLarge), emailID: nil)
            case "accountReadOnly", "forbidden":
                return .refused(DraftRefusal(.forbidden, "This account is read-only."), emailID: nil)
            case "serverPartialFail": throw .method(error)
            // Nothing was created (RFC 8620, section 3.6.2), so nothing was submitted either.
            default:
                let text = "The server can't send it at the moment (\(error.type)). \(error.description ?? "")"
                return .postponed(DraftRefusal(.other, text), emailID: nil)
            }
        }
        let created = create.arguments.value
        if let error = created["notCreated"]?["mail"] {
            guard created["created"]?["mail"] == nil else { throw contradiction("Email/set") }
            return refusal(error, emailID: nil)
        }
        guard let emailID = created["created"]?["mail"]?["id"]?.stringValue else {
            throw .malformed("Email/set created no mail")
        }
        guard let submit = response.answer(to: "submit") else { throw .malformed("no answer to EmailSubmission/set") }
        if submit.name == "error" {
            let error = MethodError(json: submit.arguments.value)
            switch error.type {
            case "unknownMethod": return .refused(DraftRefusal(.notSupported, Self.cannotSend), emailID: emailID)
            // So does Cyrus 3.6 answer if it couldn't reach the next server when its process began. That there is an
            // identity shows that the account could send.
            case "accountNotSupportedByMethod":
                return .postponed(DraftRefusal(.notSupported, Self.cannotSend), emailID: emailID)
            case "forbidden", "accountReadOnly":
                return .refused(DraftRefusal(.forbidden, "This account may not send mail."), emailID: emailID)
            case "serverUnavailable":
                let text = "The server can't send it at the moment. \(error.description ?? "")"
                return .postponed(DraftRefusal(.other, text), emailID: emailID)
            case "invalidArguments", "requestTooLarge", "accountNotFound":
                let text = "The server doesn't take the mail (\(error.type)). \(error.description ?? "")"
                return .refused(DraftRefusal(.other, text), emailID: emailID)
            // Whether it was submitted isn't known: it is searched for.
            default: throw .method(error)
            }
        }
        let submitted = submit.arguments.value
        if let error = submitted["notCreated"]?["submission"] {
            // Whether the next server has taken the mail isn't known: it is searched for.
            if isUndecided(error) { throw .method(MethodError(json: error)) }
            guard submitted["created"]?["submission"] == nil else { throw contradiction("EmailSubmission/set") }
            return refusal(error, emailID: emailID)
        }
        guard submitted["created"]?["submission"]?.objectValue != nil else {
            throw .malformed("EmailSubmission/set created no submission")
        }
        // The implicit call that moves the mail has the same id (RFC 8621, section 7.5).
        let implicit = response.methodResponses.last { $0.callID == "submit" && $0.name == "Email/set" }
        let updated = implicit?.arguments.value["updated"]?.objectValue?.members ?? []
        let isMoved = updated.contains { $0.name == emailID }
        return .sent(emailID: emailID, isMoved: isMoved)
    }

    /// The error of an answer by which the same thing was done and wasn't: whether it was is found out.
    static func contradiction(_ method: String) -> SyncError { .malformed("\(method) contradicts itself") }

    /// Returns the states after a request to send that is certain to have been followed by no other change; nil if
    /// another change may have come between.
    static func statesAfterSending(_ response: Response) -> DraftJob.AccountStates? {
        let sets = response.methodResponses.filter { $0.name == "Email/set" }.map(\.arguments.value)
        guard sets.count == 2, let first = sets[0]["newState"]?.stringValue,
            sets[1]["oldState"]?.stringValue == first, let mails = sets[1]["newState"]?.stringValue
        else { return nil }
        return .init(mails: mails, submissions: submissionState(response.answer(to: "submit"), "newState"))
    }

    /// Returns whether the server changes the state of submissions with each, as the answer to a request to send shows;
    /// nil if it doesn't.
    static func countsSubmissions(_ response: Response) -> Bool? {
        guard let submit = response.answer(to: "submit"), let old = submissionState(submit, "oldState"),
            let new = submissionState(submit, "newState"),
            submit.arguments.value["created"]?["submission"]?.objectValue != nil
        else { return nil }
        return old != new
    }

    /// The outcome of a request that creates a mail.
    enum Creation: Hashable, Sendable {
        case created(emailID: String)
        case refused(DraftRefusal)
        /// The server refuses for now.
        case postponed(DraftRefusal)
        case blobsNotFound([String])
    }

    /// Reads the answer to a request that creates a mail.
    ///
    /// - Throws: ``SyncError`` if the outcome isn't known.
    static func creation(_ response: Response) throws(SyncError) -> Creation {
        let answer = try arguments(response, "create")
        if let emailID = answer["created"]?["mail"]?["id"]?.stringValue { return .created(emailID: emailID) }
        guard let error = answer["notCreated"]?["mail"] else { throw .malformed("Email/set created no mail") }
        switch refusal(error, emailID: nil) {
        case .refused(let refusal, _): return .refused(refusal)
        case .postponed(let refusal, _): return .postponed(refusal)
        case .blobsNotFound(let blobs, _): return .blobsNotFound(blobs)
        case .sent, .stateMismatch: throw .malformed("Email/set")
        }
    }

    /// Reads the answer to a request that removes mails: returns those that are gone, and those that the server refuses
    /// to remove, with its errors.
    ///
    /// - Throws: ``SyncError``.
    static func destruction(
        _ response: Response,
        of ids: [String]
    ) throws(SyncError) -> (gone: [String], kept: [String: SetError]) {
        partition(ids, by: try arguments(response, "destroy")["notDestroyed"])
    }

    private static func partition(_ ids: [String], by errors: JSON?) -> (gone: [String], kept: [String: SetError]) {
        var (gone, kept): ([String], [String: SetError]) = ([], [:])
        for id in ids {
            if let error = errors?[id].map({ SetError(json: $0) }), error.type != SetError.notFound.type {
                kept[id] = error
            } else {
                gone.append(id)
            }
        }
        return (gone, kept)
    }

    /// Reads the answer to a request that moves mails to the trash: returns those that are there or gone, and those
    /// that the server refuses to move, with its errors.
    ///
    /// - Throws: ``SyncError``.
    static func moving(
        _ response: Response,
        of ids: [String]
    ) throws(SyncError) -> (gone: [String], kept: [String: SetError]) {
        partition(ids, by: try arguments(response, "update")["notUpdated"])
    }

    /// Returns the arguments of an answer.
    ///
    /// - Throws: ``SyncError`` if it is an error, or missing.
    static func arguments(_ response: Response, _ callID: String) throws(SyncError) -> JSON {
        guard let answer = response.answer(to: callID) else { throw .malformed("no answer to \(callID)") }
        guard answer.name != "error" else { throw .method(MethodError(json: answer.arguments.value)) }
        return answer.arguments.value
    }

    private static let cannotSend = "The server can't send mail for this account."
    static let tooLarge = "The mail is larger than the server allows. Remove a file, or send a smaller one."
}
