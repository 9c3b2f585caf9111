import Foundation
import Groundwork
import JMAP

extension StandardMailServer {
    /// A submission that the server holds, or won't send.
    struct Held {
        let deliveries: [Delivery]
        let sendAt: Date
        var isCancelled = false
    }

    /// Cancels all that the server holds, as another client would.
    package func cancelHeld() {
        state.withLock { state in
            for id in state.held.keys { state.held[id]?.isCancelled = true }
            state.submissionUpdates += 1
        }
    }

    /// Cancels all that the server holds and submits it again for a later time, as another client would.
    package func postponeHeld(by seconds: Double) {
        state.withLock { state in
            for (id, submission) in state.held where !submission.isCancelled {
                guard let old = state.submissions.first(where: { $0.id == id }) else { continue }
                let (new, time) = ("s\(state.submissions.count + 1)", submission.sendAt.addingTimeInterval(seconds))
                state.submissions.append((new, old.emailID, time))
                state.held[new] = Held(deliveries: submission.deliveries, sendAt: time)
                state.held[id]?.isCancelled = true
                state.submissionUpdates += 1
            }
        }
    }

    /// Makes all mails of a mailbox drafts, as another client would that cancels their sending.
    package func makeDrafts(of role: String) {
        state.withLock { state in
            for (id, mail) in state.mails where mail.mailboxes.contains(role) {
                state.modification += 1
                state.mails[id]?.mailboxes = ["drafts"]
                state.mails[id]?.keywords.insert("$draft")
                state.mails[id]?.updatedAt = state.modification
            }
        }
    }

    /// Removes the submissions of all that the server holds, which it sends all the same.
    package func removeHeldSubmissions() {
        state.withLock { state in
            state.removedSubmissions.formUnion(state.held.keys)
            state.submissionUpdates += 1
        }
    }
}

extension StandardMailServer.State {
    /// The `undoStatus` of a submission.
    func undoStatus(_ id: String) -> String {
        guard let submission = held[id] else { return "final" }
        return submission.isCancelled ? "canceled" : "pending"
    }

    /// Sends the held mails whose time has come.
    mutating func sendDue(at now: Date) {
        guard behaviour.sendsHeld else { return }
        let due = held.filter { !$0.value.isCancelled && $0.value.sendAt <= now }
        for (id, submission) in due.sorted(by: { ($0.value.sendAt, $0.key) < ($1.value.sendAt, $1.key) }) {
            held[id] = nil
            submissionUpdates += 1
            if behaviour.removesEndedSubmissions { removedSubmissions.insert(id) }
            leave(submission.deliveries, now)
        }
    }

    /// Sends mails. Where the server holds mails, those to its own user arrive.
    mutating func leave(_ mails: [StandardMailServer.Delivery], _ now: Date) {
        deliveries += mails
        guard behaviour.maxDelayedSend > 0 else { return }
        for mail in mails where mail.recipient == StandardMailServer.user {
            let received: JSON = [
                "mailboxIds": ["inbox": true], "keywords": [:], "messageId": [.string(mail.messageID)],
                "subject": "Received", "from": [["email": .string(mail.mailFrom)]],
                "bodyValues": ["1": ["value": .string(mail.text)]],
                "bodyStructure": ["partId": "1", "type": "text/plain"], "header:Received:asRaw": "by mail.example.com",
            ]
            var created: [String: String] = [:]
            _ = try? set(JSONObject([("create", ["mail": received])]), &created, now)
        }
    }

    /// Cancels submissions (RFC 8621, section 7.5).
    mutating func cancel(_ updates: JSONObject) -> (updated: JSONObject, notUpdated: JSONObject) {
        var (updated, notUpdated) = (JSONObject(), JSONObject())
        for (id, patch) in updates.members {
            if let error = behaviour.refusesCancelling() {
                notUpdated.add(id, error)
            } else if removedSubmissions.contains(id) || !submissions.contains(where: { $0.id == id }) {
                notUpdated.add(id, ["type": "notFound"])
            } else if patch["undoStatus"]?.stringValue != "canceled" || held[id] == nil {
                notUpdated.add(id, ["type": "cannotUnsend"])
            } else {
                held[id]?.isCancelled = true
                submissionUpdates += 1
                if behaviour.removesEndedSubmissions { removedSubmissions.insert(id) }
                updated.add(id, .null)
            }
        }
        return (updated, notUpdated)
    }
}
