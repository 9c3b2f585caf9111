import Foundation
import Groundwork
import InboxCards
import InboxMail
import InboxMailViews
import InboxViews
import Screens
import StandardMailServer
import Testing

@testable import SwiftUI

/// The outbox on screen, and the bar that takes the last mail back.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct OutboxScreenTests {
    private let device: WritingDevice
    private let outbox: OutboxModel

    init() async throws {
        device = try await WritingDevice()
        outbox = OutboxModel(device.mail)
    }

    private func person(_ edit: @escaping @MainActor (MailDraft) -> Void = { _ in }) -> Person {
        Person(
            NavigationStack {
                OutboxScreen(outbox, edit: edit).undoSendBar(outbox, reopen: edit)
            }
            .inboxTexts(CardTexts(.english))
        )
    }

    @Test func `an empty outbox has a placeholder`() async throws {
        let person = person()
        try await person.waits(for: "No mails are waiting to be sent.")
        #expect(!person.sees("Undo"))
    }

    @Test func `a mail that was just sent is taken back by the bar`() async throws {
        try await device.mail.send(device.draft("Hello"))
        var opened: [String] = []
        let person = person { opened.append($0.text) }
        try await person.waits(for: "Undo")
        #expect(person.sees("The mail is being sent.") && person.sees("Bob"))
        try person.taps("Undo")
        try await person.waits("the draft") { opened == ["Hello"] }
        try await person.waits(forNo: "Undo")
        #expect(person.sees("No mails are waiting to be sent."))
    }

    @Test func `a refused mail has its reason, and is edited, sent again or discarded`() async throws {
        device.refuse("gone@example.org")
        try await device.mail.send(device.draft("Hello", to: "gone@example.org"))
        try await device.settle()
        var opened: [String] = []
        let person = person { opened.append($0.text) }
        try await person.waits(for: "Not sent")
        #expect(person.texts.contains { $0.contains("refuses these recipients: gone@example.org") })
        try person.taps("Edit")
        try await person.waits("the draft") { opened == ["Hello"] }
        try person.taps("Discard Draft")
        try await person.waits(for: "No mails are waiting to be sent.")
    }

    @Test func `a mail that may have been sent is asked about`() async throws {
        try await device.mail.send(device.draft("Hello"))
        try await device.loseNextMail()
        let person = person()
        try await person.waits(for: "Send Again")
        try person.taps("Send Again")
        try await person.waits(for: "This mail may have been sent already. Send it again?")
        try person.taps("Cancel")
        #expect(!person.sees("This mail may have been sent already. Send it again?"))
        try person.taps("Send Again")
        try await person.waits(for: "This mail may have been sent already. Send it again?")
        try person.taps("Send Again")
        try await person.waits("the order") { outbox.undoable != nil }
        try await device.settle()
        #expect(device.server.deliveries.map(\.text) == ["Hello"])
    }

    @Test func `a sent mail whose copy lacks its hidden recipients has a notice to close`() async throws {
        device.server.behave { behaviour in
            behaviour.refusesCreation = { $0["keywords"]?["$draft"] == nil ? ["type": "overQuota"] : nil }
        }
        var draft = device.draft("Hello")
        draft.bcc = [EmailAddress(name: "Eve", email: "eve@example.org")]
        try await device.mail.send(draft)
        for _ in 0..<30 { try await device.settle(3_600) }
        let person = person()
        try await person.waits(for: "Sent. Your copy doesn’t name the Bcc recipients.")
        #expect(person.sees("Bob, Eve") && !person.sees("Send Again") && !person.sees("Edit"))
        try person.taps("Close")
        try await person.waits(for: "No mails are waiting to be sent.")
    }
}
