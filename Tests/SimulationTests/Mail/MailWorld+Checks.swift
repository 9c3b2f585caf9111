import Foundation
import Groundwork
import InboxMail
import StandardMailServer

extension MailWorld {
    /// Returns what doesn't hold, once everything has settled; nil if all does.
    func problem() async throws -> String? {
        // Each mail once.
        var counts: [String: Int] = [:]
        for delivery in server.deliveries {
            counts["\(delivery.messageID) \(delivery.recipient)", default: 0] += 1
            if delivery.showsBcc { return "\(delivery.messageID) names the hidden recipients" }
        }
        if let twice = counts.first(where: { $0.value > 1 }) { return "\(twice.key) got the mail \(twice.value) times" }

        let drafts = server.mails(in: "drafts")
        let sent = server.mails(in: "sent")
        func text(_ mail: JSON) -> String {
            mail["bodyValues"]?.objectValue?.members.first?.value["value"]?.stringValue?
                .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        }
        // What was sent is among the sent mails once, with its hidden recipients.
        var unknown = 0
        for device in devices {
            for draft in try await device.mail.drafts() where draft.state.name == "unknown" { unknown += 1 }
        }
        let interrupted = interrupted + devices.flatMap(\.wires).reduce(0) { $0 + $1.interrupted }
        // What a lost request did isn't known once the account has changed, unless the submissions show it.
        let isUndecidable =
            (!keepsSubmissions || hasHiddenRecipients || hasEmptiedSent)
            && (hasLostAttempt || devices.flatMap(\.wires).contains(where: \.hasLostAttempt))
        // A refusal whose answer is lost looks like an attempt that the server didn't end.
        if unknown > 0, interrupted == 0, !hasRefused, !isUndecidable {
            return "an outcome is unknown, and the server never died"
        }
        for messageID in Set(server.deliveries.map(\.messageID)) {
            let recipients = server.deliveries.filter { $0.messageID == messageID }.map(\.recipient)
            let copies = sent.filter { $0["messageId"]?.arrayValue?.first?.stringValue == messageID }
            guard copies.count == 1 || unknown > 0 || (hasEmptiedSent && copies.isEmpty) else {
                return "\(messageID) is \(copies.count) times among the sent mails"
            }
            let isHidden = recipients.contains("eve@example.org")
            if let copy = copies.first, copies.count == 1, (copy["bcc"]?.arrayValue?.isEmpty ?? true) == isHidden,
                !hasRefusedCopies || !isHidden
            {
                return "the sent mail \(messageID) has the wrong hidden recipients: \(copy["bcc"]?.description ?? "-")"
            }
        }
        // What was ordered was sent, or a device says that it wasn't, or may have been.
        let delivered = Set(server.deliveries.map { $0.text.trimmingCharacters(in: .newlines) })
        var reported: Set<String> = []
        for device in devices {
            for draft in try await device.mail.drafts() where ["refused", "unknown"].contains(draft.state.name) {
                reported.insert(draft.id)
            }
        }
        let missing = orders.filter { id, text in !delivered.contains(text) && !reported.contains(id) }
        if let text = missing.values.min() { return "\(text) was to be sent and wasn't, and no device says so" }
        // Each text has its file, on the server and on the devices.
        for mail in drafts + sent where textsWithFile.contains(text(mail)) {
            let file = mail["attachments"]?.arrayValue?.first { $0["name"]?.stringValue == text(mail) }
            guard let file, file["size"]?.intValue == text(mail).utf8.count else {
                return "\(text(mail)) has lost its file on the server"
            }
        }
        for device in devices {
            for draft in try await device.mail.drafts() where draft.isComplete && draft.state != .sent {
                let text = draft.text.trimmingCharacters(in: .newlines)
                guard textsWithFile.contains(text) else { continue }
                guard let file = draft.attachments.first(where: { $0.name == text }),
                    try await device.mail.contents(of: file, inDraft: draft.id) == Data(text.utf8)
                else { return "\(text) has lost its file on \(device.name)" }
            }
        }
        // Each draft's last text somewhere.
        var found = Set((drafts + sent).map(text)).union(
            server.deliveries.map { $0.text.trimmingCharacters(in: .newlines) }
        )
        for device in devices {
            for draft in try await device.mail.drafts() {
                found.insert(draft.text.trimmingCharacters(in: .newlines))
                found.formUnion(draft.otherVersions.map(\.snippet))
            }
        }
        let lost = living.subtracting(found)
        if let lost = lost.min() { return "\(lost) is lost, of the draft \(draftOfText[lost] ?? "")" }
        // Nothing is left to do, and the devices show the same.
        var shown: [[String]] = []
        for device in devices {
            let drafts = try await device.mail.drafts()
            // It stays until the person has seen it.
            if let draft = drafts.first(where: { $0.copyRefusal != nil }), !hasRefusedCopies {
                return "\(device.name) couldn't name the hidden recipients of \(draft.text), and nothing was refused"
            }
            let all = drafts.filter { $0.copyRefusal == nil }
            // A sent mail that is removed before a device has it is shown as sent for a day.
            let states = ["waiting", "uploading", "sending"] + (hasEmptiedSent ? [] : ["sent"])
            if let busy = all.first(where: { states.contains($0.state.name) }) {
                return "\(device.name) still has a draft that is \(busy.state): \(busy.text)"
            }
            shown.append(all.filter { $0.state == .draft }.map { "\($0.id) \($0.text)" }.sorted())
        }
        if shown[0] != shown[1] {
            let refused = try await refusedDrafts()
            let differing = Set(shown[0]).symmetricDifference(shown[1]).filter { line in
                !refused.contains { line.hasPrefix($0) }
            }
            if let one = differing.min() { return "only one device shows the draft \(one)" }
        }
        // A draft's mails on the server are its versions.
        let ids = Set(try await devices[0].mail.messages().map(\.id))
        let serverIDs = Set(
            ["inbox", "drafts", "sent", "trash"].flatMap { server.mails(in: $0) }.compactMap { $0["id"]?.stringValue }
        )
        if ids != serverIDs { return "the phone has the mails \(ids), the server \(serverIDs)" }
        return nil
    }

    private func refusedDrafts() async throws -> Set<String> {
        var ids: Set<String> = []
        for device in devices {
            for draft in try await device.mail.drafts() where draft.state != .draft { ids.insert(draft.id) }
        }
        return ids
    }
}
