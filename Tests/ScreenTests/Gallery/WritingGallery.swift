import Foundation
import InboxCards
import InboxMail
import InboxMailViews
import InboxViews
import MailSignIn
import ReplicaTesting
import Screens

@testable import SwiftUI

/// The screens that write mail: composing, the outbox and signing in, each in the states that a person meets.
@MainActor
enum WritingGallery {
    /// A screen and its state. The order is that of the page.
    enum Scene: String, CaseIterable {
        case empty, completion, written, review, refused, versions, rightToLeft
        case outbox, emptyOutbox, undo
        case signIn, host, failure
        case thread, rightToLeftThread
    }

    struct Entry {
        let scene: Scene
        let look: GalleryLook
        let screen: GalleryScene

        /// The page's file, without an extension.
        var file: String {
            "writing-\(scene.rawValue.lowercased())-\(look.isDark ? "dark" : "light")\(look.isWide ? "-wide" : "")"
        }
    }

    private static let wide: Set<Scene> = [.written, .outbox, .failure]

    static func entries() async throws -> [Entry] {
        var entries: [Entry] = []
        for isDark in [false, true] {
            for scene in Scene.allCases {
                for isWide in wide.contains(scene) ? [false, true] : [false] {
                    let look = GalleryLook(isDark: isDark, isWide: isWide)
                    entries.append(Entry(scene: scene, look: look, screen: try await screen(scene, look)))
                }
            }
        }
        return entries
    }

    static func screen(_ scene: Scene, _ look: GalleryLook) async throws -> GalleryScene {
        switch scene {
        case .signIn, .host, .failure: try await signIn(scene, look)
        case .outbox, .emptyOutbox, .undo: try await outbox(scene, look)
        case .thread, .rightToLeftThread: try await thread(scene, look)
        default: try await composing(scene, look)
        }
    }

    // MARK: - Answering

    /// A thread with a long address and many recipients, and the buttons below its last mail.
    private static func thread(_ scene: Scene, _ look: GalleryLook) async throws -> GalleryScene {
        let device = try await MailDevice()
        device.deliver("Lunch", from: MailDevice.bob, text: "Shall we meet at noon?", id: "lunch", keywords: ["$seen"])
        device.deliver(
            "Re: Lunch",
            from: EmailAddress(
                name: "Wilhelmina Featherstonehaugh",
                email: "wilhelmina.featherstonehaugh@correspondence.example.org"
            ),
            to: [MailDevice.alice, MailDevice.bob, MailDevice.ada],
            text: "Gladly, if the weather holds.",
            id: "again",
            answering: "lunch",
            keywords: ["$flagged"]
        )
        try await device.mail.sync()
        let texts = CardTexts(scene == .rightToLeftThread ? .arabic : .english)
        let id = try await device.thread("Lunch")
        let screen = NavigationStack { ThreadScreen(id) }.mailWriting(MailWritingModel())
        let person = Person(screen.mail(device.mail).inboxTexts(texts)) {
            look.set(&$0)
            $0.layoutDirection = texts.isRightToLeft ? .rightToLeft : .leftToRight
        }
        try await person.waits(for: "Gladly, if the weather holds.")
        let drawn = person.scene
        person.display.close()
        return drawn
    }

    // MARK: - Composing

    private static func composing(_ scene: Scene, _ look: GalleryLook) async throws -> GalleryScene {
        let device = try await WritingDevice()
        var start = ComposeStart.new
        switch scene {
        case .completion:
            for (name, address) in [("One", "anna@example.com"), ("Two", "andrew@example.org")] {
                _ = try await device.receive(name, from: address)
            }
        case .refused:
            device.refuse("gone@example.org")
            let draft = try await device.mail.send(device.draft(text, to: "gone@example.org", subject: "Lunch"))
            try await device.settle()
            start = .stored(id: draft.id)
        case .versions:
            let other = try await WritingDevice(besides: device)
            var draft = try await device.mail.save(device.draft("Today at one?", subject: "Lunch"))
            try await device.settle()
            try await other.mail.sync()
            if var copy = try await other.stored(draft.id) {
                copy.text = "Tomorrow at one?"
                try await other.mail.save(copy, waitsForChanges: false)
            }
            draft.text = text
            try await device.mail.save(draft, waitsForChanges: false)
            try await other.settle()
            try await device.settle(10)
            try await device.settle(10)
            await other.mail.close()
            start = .stored(id: draft.id)
        case .written, .rightToLeft:
            start = .reply(to: try await device.receive("Lunch", html: "<p>Lunch?</p>"))
        default: break
        }
        let texts = CardTexts(scene == .rightToLeft ? .arabic : .english)
        let model = ComposeModel(start, in: device.mail)
        try await until("the draft") { model.phase == .writing }
        switch scene {
        case .completion: model.to.text = "an"
        case .written, .rightToLeft:
            model.cc.text = "Carol Sommer <carol@example.org>, dave@example.net, eve@"
            model.cc.commit()
            (model.showsCopies, model.text) = (true, text)
            await model.attach(Data(count: 183_000), named: "Menu of the week.pdf")
            await model.attach(Data(count: 2_400_000), named: "Terrace.jpg")
        case .review:
            model.to.text = "bob@example.org,"
            model.text = "The menu is attached."
            await model.send()
        default: break
        }
        let person = Person(ComposeScreen(model).inboxTexts(texts)) {
            look.set(&$0)
            $0.layoutDirection = texts.isRightToLeft ? .rightToLeft : .leftToRight
        }
        switch scene {
        case .completion: try await person.waits(for: "anna@example.com")
        case .versions: try await person.waits(for: texts[.useOtherVersion])
        default: try await person.waits("the screen") { person.texts.contains(texts[.message]) || !person.sees("…") }
        }
        let screen = person.scene
        person.display.close()
        return screen
    }

    private static let text = "Today at one, on the terrace? I have brought the menu of the week, and pictures."

    // MARK: - The outbox

    private static func outbox(_ scene: Scene, _ look: GalleryLook) async throws -> GalleryScene {
        let device = try await WritingDevice()
        let outbox = OutboxModel(device.mail)
        switch scene {
        case .outbox:
            device.refuse("gone@example.org")
            try await device.mail.send(device.draft(text, to: "gone@example.org", subject: "Lunch"))
            try await device.settle()
            try await device.mail.send(device.draft("Did it arrive?", subject: "The parcel"))
            try await device.loseNextMail()
            let later = device.clock.now.addingTimeInterval(86_400)
            try await device.mail.send(device.draft("All the best!", subject: "Birthday"), later: later)
            device.disconnect()
            try await device.mail.send(device.draft("On the train.", subject: "Late"))
            _ = try? await device.settle()
            try await until("the mails") { outbox.items.count == 4 }
        case .undo:
            try await device.mail.send(device.draft(text, subject: "Lunch"))
            try await until("the mail") { outbox.undoable != nil }
        default: try await until("the outbox") { outbox.state == .loaded }
        }
        let person = Person(
            NavigationStack { OutboxScreen(outbox) { _ in }.undoSendBar(outbox) { _ in } }
                .inboxTexts(CardTexts(.english)),
            look
        )
        let screen = person.scene
        person.display.close()
        return screen
    }

    // MARK: - Signing in

    private static func signIn(_ scene: Scene, _ look: GalleryLook) async throws -> GalleryScene {
        let world = SignInWorld()
        let model = world.model(scene == .signIn ? "" : "anna@example.com")
        switch scene {
        case .host:
            world.dns.set(["_jmap._tcp": [ServiceRecord(host: "mail.provider.example", port: 443)]])
            model.start()
            try await until("the question") { if case .asking = model.state { true } else { false } }
        case .failure:
            world.dns.set([
                "_jmap._tcp": [ServiceRecord(host: "", port: 0)],
                "_imaps._tcp": [ServiceRecord(host: "imap.example.com", port: 993)],
            ])
            model.start()
            try await until("the failure") { if case .failed = model.state { true } else { false } }
        default: break
        }
        let person = Person(SignInScreen(model).inboxTexts(CardTexts(.english)), look)
        let screen = person.scene
        person.display.close()
        return screen
    }
}
