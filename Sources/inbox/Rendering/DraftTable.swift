import Foundation
import InboxMail
import TextTable

/// A table of drafts that fits the terminal: one line per draft, two on a narrow terminal.
struct DraftTable {
    /// The width in columns.
    let width: Int
    let now: Date

    private static let wide = 76

    func lines(_ drafts: [MailDraft]) -> [String] {
        width < Self.wide ? drafts.flatMap(narrow) : table(drafts)
    }

    private func table(_ drafts: [MailDraft]) -> [String] {
        let states = drafts.map { state($0) }
        let stateWidth = min(34, max(5, states.map(\.columns).max() ?? 0))
        let peopleWidth = min(30, max(16, width / 5))
        let textWidth = max(12, width - 7 - 1 - stateWidth - 2 - peopleWidth - 2)
        let table = TextTable<(draft: MailDraft, state: String)> { row in
            let people = Self.people(row.draft).cut(to: peopleWidth).isolated
            return [
                Column(title: "Id", value: ANSIStyle.accent(row.draft.shortID), width: 7),
                Column(title: "State", value: paint(row.state.cut(to: stateWidth), row.draft), width: stateWidth + 1),
                Column(title: "To", value: people, width: peopleWidth + 1),
                Column(title: "Subject", value: text(row.draft, width: textWidth), width: textWidth),
            ]
        }
        let rows = Array(zip(drafts, states)).map { (draft: $0, state: $1) }
        return table.lines(rows)
    }

    private func narrow(_ draft: MailDraft) -> [String] {
        let state = state(draft).cut(to: max(5, width - 8))
        let room = max(4, width - 8)
        return [
            "\(ANSIStyle.accent(draft.shortID)) \(paint(state, draft))",
            "       " + "to \(Self.people(draft))".cut(to: room).isolated,
            "       " + text(draft, width: room),
        ]
    }

    /// The recipients.
    static func people(_ draft: MailDraft) -> String {
        let people = draft.to + draft.cc + draft.bcc
        guard let first = people.first else { return "(no one)" }
        let name = MailPeople.displayName(of: first)
        return people.count > 1 ? "\(name) and \(people.count - 1) more" : name
    }

    private func text(_ draft: MailDraft, width: Int) -> String {
        let marks = (draft.hasAttachments ? "▤ " : "") + (draft.otherVersions.isEmpty ? "" : "⑂ ")
        return ANSIStyle.dim(marks) + draft.headline.cut(to: max(4, width - marks.columns)).isolated
    }

    private func paint(_ text: String, _ draft: MailDraft) -> String {
        switch draft.state {
        case .draft: ANSIStyle.dim(text)
        case .sent: ANSIStyle.success(text)
        case .waiting, .uploading, .sending: ANSIStyle.warning(text)
        case .unsaved, .refused, .unknown: ANSIStyle.failure(text)
        }
    }

    /// The name of the state, as in the JSON, and what else there is to know of it.
    private func state(_ draft: MailDraft) -> String {
        let detail: String? =
            switch draft.state {
            case .draft: "changed \(ShortTime.text(draft.updatedAt, now: now))"
            case .waiting where draft.isBeingTakenBack: "being taken back"
            case .waiting(let date) where draft.holder == .server:
                date > now ? "server sends \(ShortTime.text(date, now: now))" : "with the server"
            case .waiting(let date): date > now ? "to be sent \(ShortTime.text(date, now: now))" : nil
            case .uploading(let fraction): "\(Int(fraction * 100)) %"
            case .unknown: "may have been sent"
            case .unsaved, .sending, .sent, .refused: nil
            }
        return draft.state.name + (detail.map { ", \($0)" } ?? "")
    }

    /// Returns a sentence with the state of a draft, and with advice.
    static func sentence(_ draft: MailDraft) -> String {
        guard let refusal = draft.copyRefusal else {
            guard let reason = draft.moveRefusal else { return sentence(draft.state) }
            return "\(reason.description.plainLine) To remove this notice: inbox mail discard \(draft.shortID)"
        }
        let addresses = draft.bcc.map(\.email.plainLine).joined(separator: ", ")
        return "It was sent. The copy among the sent mails doesn't name \(addresses). "
            + "\(refusal.description.plainLine) To remove this notice: inbox mail discard \(draft.shortID)"
    }

    /// Returns a sentence with the state of a draft, and with advice.
    static func sentence(_ state: DraftState) -> String {
        switch state {
        case .refused(let refusal): refusal.description.plainLine
        case .unsaved(let reason) where reason.code == .unreadable: reason.description.plainLine
        case .unsaved(let reason): "It is on this device alone. \(reason.description.plainLine)"
        case .unknown(let since, let attempts):
            "The server's answer of \(ShortTime.exact(since)) was lost: the mail may have been sent. "
                + "\(attempts.map(sentences) ?? "")Ask a recipient before you send it again."
        case .draft: "It is a draft."
        case .waiting: "It waits to be sent."
        case .uploading: "Its files are being uploaded."
        case .sending: "It is being sent."
        case .sent: "It was sent."
        }
    }

    /// Returns sentences with the attempts to send a mail, and what the server has of it.
    private static func sentences(_ attempts: SendingAttempts) -> String {
        let (id, first) = (attempts.messageID.plainLine, ShortTime.exact(attempts.firstRequestAt))
        let count = attempts.requestCount == 1 ? "once" : "\(attempts.requestCount) times since \(first)"
        let found =
            switch attempts.finding {
            case .missing: "It has no mail with the Message-ID \(id)."
            case .unsubmitted: "It has the mail with the Message-ID \(id), not among the sent ones."
            case .submissionGone: "It held the mail with the Message-ID \(id), and holds it no longer."
            case nil: "Its Message-ID is \(id)."
            }
        let failure = attempts.failure.map { failure -> String in
            let text = failure.plainLine
            return "The last failure: \(text)\(text.hasSuffix(".") ? "" : ".") "
        }
        return "The server was asked to send it \(count). \(found) \(failure ?? "")"
    }
}
