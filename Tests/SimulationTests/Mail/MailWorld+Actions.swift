import Foundation
import Groundwork
import InboxMail
import StandardMailServer

extension MailWorld {
    private enum Action {
        case write, edit, send, undo, discard, useVersion, sync, wait, restart, forget, refuse, empty, emptySent
        case switchProcess, signOut, refuseCopies
    }

    /// One thing happens on one device.
    func step() async throws {
        let device = devices[dice.int(0...devices.count - 1)]
        planFault(device)
        let action = dice.pick([
            Action.write: 3, .edit: 5, .send: 5, .undo: 1, .discard: 1, .useVersion: 1, .sync: 8, .wait: 4,
            .restart: 1, .forget: 1, .refuse: 1, .empty: 1, .emptySent: 1, .switchProcess: 2, .signOut: 1,
            .refuseCopies: 1,
        ])
        switch action {
        case .write: try await write(on: device, hasBcc: dice.chance(0.4))
        case .edit: try await withDraft(device) { try await edit($0, on: device) }
        case .send: try await withDraft(device) { try await send($0, on: device) }
        case .undo: try await withDraft(device) { try await undo($0, on: device) }
        case .discard: try await withDraft(device) { try await discard($0, on: device) }
        case .useVersion: try await withDraft(device) { try await useVersion($0, on: device) }
        case .sync: try await sync(device)
        case .wait: time.advance(by: dice.pick([1: 2, 6: 4, 30: 2, 200: 2]))
        case .restart:
            note("\(device.name) is restarted")
            keepRequests(of: [device.wire])
            try await device.restart()
        case .switchProcess:
            note("the other process of \(device.name) acts")
            try await device.switchProcess()
        case .signOut where signsOut: try await signOut(device)
        case .signOut: break
        case .refuseCopies:
            let error: JSON? =
                dice.pick([
                    JSON?.none, ["type": "serverUnavailable"], ["type": "invalidProperties"], ["type": "overQuota"],
                ]) ?? nil
            note("copies of sent mails are answered with \(error.map(\.description) ?? "success")")
            server.behave { behaviour in
                behaviour.refusesCreation = { mail in
                    let isSent = mail["mailboxIds"]?["sent"]?.boolValue ?? false
                    return isSent && mail["keywords"]?["$draft"] == nil ? error : nil
                }
            }
            if let error, error["type"] != "serverUnavailable" { hasRefusedCopies = true }
        case .forget: server.forgetChanges()
        case .empty:
            // Of two texts of one draft, no device knows which one replaced which, once both are gone.
            guard !signsOut, Set(living.compactMap { draftOfText[$0] }).count == living.count else { return }
            note("the drafts' mailbox is emptied")
            server.empty("drafts")
        case .emptySent:
            note("the sent mails are removed")
            server.empty("sent")
            hasEmptiedSent = true
        case .refuse:
            // Of Cyrus's errors, and the standard's.
            let error: JSON? =
                dice.pick([
                    JSON?.none, ["type": "invalidRecipients", "invalidRecipients": ["bob@example.org"]],
                    ["type": "forbiddenToSend"], ["type": "serverUnavailable"],
                ]) ?? nil
            note("submissions are answered with \(error.map(\.description) ?? "success")")
            server.behave { $0.refusal = { _ in error } }
            if error != nil { hasRefused = true }
        }
    }

    private func planFault(_ device: MailDevice) {
        guard dice.chance(0.5) else { return }
        if dice.chance(0.2) {
            let moments = dice.int(0...8)
            device.lifetime.plan(dice.chance(0.7) ? .kill : .fullDisk, after: moments)
            note("\(device.name) will die or have a full disk after \(moments) moments")
            return
        }
        let fault = dice.pick([
            MailWire.Fault.lost: 2, .delayed: 3, .repeated: 2, .doubled: 2, .refused: 1, .answerLost: 5, .serverDies: 1,
            .dies: 2, .diesAfterwards: 3,
        ])
        let requests = dice.int(0...5)
        device.wire.plan(fault, after: requests)
        note("\(device.name) will have a fault after \(requests) requests: \(fault)")
    }

    private func withDraft(_ device: MailDevice, _ action: (String) async throws -> Void) async throws {
        guard let drafts = try await attempt(device, "lists", { try await $0.drafts() }), let draft = dice.pick(drafts)
        else { return }
        try await action(draft.id)
    }

    // MARK: - What a person does

    /// Writes a draft.
    ///
    /// - Returns: Its id; nil if it wasn't saved.
    @discardableResult
    func write(on device: MailDevice, hasBcc: Bool) async throws -> String? {
        var draft = device.mail.newDraft()
        draft.to = [EmailAddress(email: "bob@example.org")]
        if hasBcc {
            draft.bcc = [EmailAddress(email: "eve@example.org")]
            hasHiddenRecipients = true
        }
        draft.text = newText()
        return try await save(draft, in: nil, on: device) ? draft.id : nil
    }

    /// Saves a draft. If the process dies meanwhile, the next one shows whether it was saved.
    ///
    /// - Parameter old: The text that the new one replaces.
    private func save(_ draft: MailDraft, in old: String?, on device: MailDevice) async throws -> Bool {
        let hasFile = dice.chance(0.3)
        var isSaved =
            try await attempt(device, "saves \(draft.text)\(hasFile ? " with a file" : "")") { mail in
                if hasFile {
                    try await mail.attach(Data(draft.text.utf8), named: draft.text, to: draft)
                } else {
                    try await mail.save(draft)
                }
            } != nil
        if !isSaved { isSaved = try await texts(of: draft.id, on: device).contains(draft.text) }
        guard isSaved else { return false }
        if hasFile { textsWithFile.insert(draft.text) }
        draftOfText[draft.text] = draft.id
        if let old { living.remove(old) }
        living.insert(draft.text)
        return true
    }

    /// Returns the texts that a device shows of a draft, the first one as the draft's own.
    private func texts(of id: String, on device: MailDevice) async throws -> [String] {
        guard let draft = try await device.mail.drafts(Query(where: #Predicate { $0.id == id })).first else {
            return []
        }
        return [draft.text] + draft.otherVersions.map(\.snippet)
    }

    func edit(_ id: String, on device: MailDevice) async throws {
        guard var draft = try await attempt(device, "reads a draft", { try await $0.draft(id: id) }) ?? nil,
            draft.isComplete, draft.isEditable
        else { return }
        orders[id] = nil
        let old = draft.text
        draft.text = newText()
        _ = try await save(draft, in: old, on: device)
    }

    func send(_ id: String, on device: MailDevice) async throws {
        guard let draft = try await attempt(device, "reads a draft", { try await $0.draft(id: id) }) ?? nil,
            draft.isComplete, draft.isEditable, draft.state.name != "unknown"
        else { return }
        orders[id] = nil
        let later = dice.chance(0.1) ? time.now.addingTimeInterval(60) : nil
        let isOrdered =
            try await attempt(device, "sends \(draft.text)") { try await $0.send(draft, later: later) } != nil
        if isOrdered { orders[id] = draft.text.trimmingCharacters(in: .newlines) }
    }

    private func undo(_ id: String, on device: MailDevice) async throws {
        orders[id] = nil
        _ = try await attempt(device, "takes \(id) back") { try await $0.undoSend(id) }
    }

    private func discard(_ id: String, on device: MailDevice) async throws {
        orders[id] = nil
        let shown = try await texts(of: id, on: device)
        let isDone = try await attempt(device, "discards \(shown)") { try await $0.discard(id) } != nil
        let isGone = try await texts(of: id, on: device).isEmpty
        guard isDone || isGone else { return }
        living.subtract(shown)
    }

    private func useVersion(_ id: String, on device: MailDevice) async throws {
        guard let draft = try await attempt(device, "reads a draft", { try await $0.draft(id: id) }) ?? nil,
            let version = dice.pick(draft.otherVersions), draft.isEditable
        else { return }
        orders[id] = nil
        if dice.chance(0.3) {
            _ = try await attempt(device, "discards the version \(version.snippet)") {
                try await $0.discardVersion(version.id, of: id)
            }
            let isGone = try await !texts(of: id, on: device).contains(version.snippet)
            if isGone { living.remove(version.snippet) }
        } else {
            _ = try await attempt(device, "uses the version \(version.snippet)") {
                try await $0.useVersion(version.id, of: id)
            }
        }
    }

    /// Signs out, which is refused while the device has what no other has.
    private func signOut(_ device: MailDevice) async throws {
        let isDone = try await attempt(device, "signs out") { try await $0.signOut() } != nil
        guard isDone else { return }
        keepRequests(of: device.wires)
        try await device.renew()
    }

    func sync(_ device: MailDevice) async throws {
        _ = try await attempt(device, "syncs") { try await $0.sync() }
    }
}
