import Foundation
import InboxMail
import InboxMailViews
import InboxTesting
import Screens
import StandardMailServer

@testable import SwiftUI

/// The screens of mail: `MailScreen`.
struct MailGallery: GalleryVendor {
    let name = "Mail"
    let wideStates: Set<GalleryState> = [.list, .detail, .html]

    func scene(_ state: GalleryState, _ look: GalleryLook) async throws -> GalleryScene {
        if state == .button { return .words("None: an app has a button or a tab of its own, with @UnreadMailCount.") }
        // What is delivered arrives until a few minutes ago.
        let device = try await MailDevice(clock: ManualClock(now: Date().addingTimeInterval(-50 * 3_600)))
        if state != .empty { deliver(to: device) }
        let gate = Gate()
        switch state {
        case .loading:
            device.transport.answer { [server = device.server] request in
                await gate.wait()
                return server.answer(request)
            }
        case .error: device.disconnect()
        default: try await device.mail.sync()
        }
        let app = InboxMailViews.MailScreen().mailWriting(MailWritingModel())
        let person = Person(app.shown(withMail: device.mail), look)
        switch state {
        case .empty: try await person.waitsForAll("There is no mail here.")
        case .loading: try await person.waits(for: "Loading…")
        case .error: try await person.waitsForAll("Something Went Wrong")
        default: try await person.waitsForAll("Rowing on Sunday?")
        }
        if look.isWide { try await person.waits(for: "Drafts") }
        if state == .detail {
            try person.taps("Lunch at the lake")
            try await person.waits(for: "menu.pdf")
            try await person.waits(for: "Show quoted text")
        } else if state == .html {
            try person.taps("Spring news")
            try await person.waits("the document") { person.webViews.first?.isMeasured == true }
        }
        let scene = person.scene
        await gate.open()
        person.display.close()
        return scene
    }

    /// Threads of one and of several mails, read and unread, with files, a star and a draft.
    private func deliver(to device: MailDevice) {
        let (alice, ada, bob) = (MailDevice.alice, MailDevice.ada, MailDevice.bob)
        func later(_ hours: Double) { device.clock.advance(by: hours * 3_600) }
        device.deliver(
            "Your invoice of a shop whose subjects are sometimes longer than one line of a phone",
            from: EmailAddress(name: "Garden Shop", email: "billing@shop.example"),
            text: "Thank you for your order. You find the invoice in the file.",
            keywords: ["$seen"],
            files: [("invoice-2026-0417.pdf", "application/pdf", Array(repeating: 0, count: 48_000))]
        )
        later(20)
        device.deliver(
            "Spring news",
            from: EmailAddress(name: "Garden Shop", email: "news@shop.example"),
            html: """
                <h1 style="color:#0a6e3d">Spring has come</h1><p>Everything for the balcony is 20 % cheaper until \
                Sunday: <b>pots</b>, <i>herbs</i> and a watering can.</p><img src="https://shop.example/herbs.png" \
                alt="Herbs"><table border="1" cellpadding="6"><tr><td>Basil</td><td>1.99</td></tr></table>
                """
        )
        later(6)
        device.deliver("Key", from: bob, text: "The key is under the mat.", keywords: ["$seen", "$flagged"])
        later(4)
        device.deliver(
            "Lunch at the lake",
            text: "Shall we meet at noon?",
            id: "lunch",
            keywords: ["$seen"]
        )
        later(6)
        device.deliver(
            "Re: Lunch at the lake",
            from: alice,
            to: [ada, bob],
            text: "Gladly! Bob comes too.",
            id: "gladly",
            answering: "lunch",
            keywords: ["$seen"],
            in: "sent"
        )
        later(8)
        device.deliver(
            "Re: Lunch at the lake",
            to: [alice, bob],
            text: "Here is the menu. The soup is said to be good.\n\n> Gladly! Bob comes too.",
            id: "menu",
            answering: "gladly",
            files: [("menu.pdf", "application/pdf", Array(repeating: 0, count: 120_000))]
        )
        later(5)
        device.deliver("Rowing on Sunday?", from: bob, text: "The boat is free from ten to two. Bring a hat.")
    }
}
