import Foundation
import InboxCards
import InboxMail
import InboxMailViews
import InboxViews
import ReplicaTesting
import Screens
import StandardMailServer
import Testing

@testable import SwiftUI

/// A whole mail app, as the document builds it: signing in, reading, writing, several accounts and signing out.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailAppTests {
    private let world = SessionWorld()
    private let session: MailSessionModel
    private let person: Person

    init() async throws {
        session = world.session()
        let (session, writing) = (session, MailWritingModel())
        let app = MailSessionView(session) { InboxMailViews.MailScreen(session.accounts) }.mailWriting(writing)
        person = Person(app.inboxTexts(CardTexts(.english)))
    }

    private func signsIn(_ address: String = "anna@example.com") async throws {
        try await person.waits("a sign-in") { session.signIn != nil }
        try await person.waits(for: "Sign In")
        try person.types(address, into: "Mail Address")
        try person.taps("Continue")
        try await person.waits(address) {
            session.signIn == nil && session.accounts.accounts.contains { $0.mail.user == address }
        }
        for account in session.accounts.accounts { try await account.mail.sync() }
    }

    /// Opens a thread, and waits for its mail.
    private func opens(_ subject: String) async throws {
        try await person.waits(for: subject)
        try person.taps(subject)
        try await person.waits(for: "Reply")
    }

    @Test func `a person signs in, replies, undoes sending and sends`() async throws {
        world.deliver("Lunch")
        try await signsIn()
        try await opens("Lunch")
        #expect(person.sees("Reply All") && person.sees("Forward"))
        try person.taps("Reply")
        try await person.waits(for: "Re: Lunch")
        try await person.waits("the recipient") { person.elements.contains { $0.label == "Bob, bob@example.org" } }
        try person.types("Yes!", into: "Message")
        try person.taps("Send")
        try await person.waits(for: "The mail is being sent.")
        // The screen on which it was written has an Undo of its own until it's gone.
        try await person.waits(forNo: "Close")
        try person.taps("Undo")
        try await person.waits(for: "Re: Lunch")
        #expect(try person.text(in: "Message") == "Yes!")
        #expect(!person.sees("The mail is being sent."))
        try person.taps("Send")
        try await person.waits(for: "The mail is being sent.")
        world.signIn.clock.advance(by: 6)
        try await session.accounts.accounts[0].mail.sync()
        try await person.waits("the mail") { world.server.deliveries.count == 1 }
    }

    @Test func `a new mail that is closed is a draft, which its thread opens again`() async throws {
        world.deliver("Lunch")
        try await signsIn()
        try await person.waits(for: "Lunch")
        try person.presses("n", .command)
        try await person.waits(for: "New Mail")
        try person.types("Plans", into: "Subject")
        try person.types("Later", into: "Message")
        try person.presses(.escape, [])
        try await person.waits(forNo: "Save Draft")
        try await person.waits("the draft") { try await session.accounts.accounts[0].mail.drafts().count == 1 }
        world.signIn.clock.advance(by: 6)
        try await session.accounts.accounts[0].mail.sync()
        try await person.waits(for: "Drafts")
        try person.taps("Drafts")
        try await person.waits(for: "Plans")
        try person.taps("Plans")
        try await person.waits(for: "Edit")
        #expect(!person.sees("Reply"))
        try person.taps("Edit")
        try await person.waits("the draft again") { (try? person.text(in: "Message")) == "Later" }
    }

    @Test func `a mail that waits is in the outbox, and is changed there`() async throws {
        world.deliver("Lunch")
        try await signsIn()
        try await opens("Lunch")
        #expect(!person.sees("Outbox"))
        world.isConnected = false
        try person.taps("Reply")
        try await person.waits("the recipient") { person.elements.contains { $0.label == "Bob, bob@example.org" } }
        try person.types("Yes!", into: "Message")
        try person.taps("Send")
        try await person.waits(for: "Outbox")
        try person.taps("Outbox")
        try await person.waits(for: "Send Now")
        try person.taps("Edit")
        try await person.waits("the mail") { (try? person.text(in: "Message")) == "Yes!" }
    }

    @Test func `another account is added and signed out of in the menu of the mailboxes`() async throws {
        try await signsIn()
        try person.chooses("Accounts", "Add Account")
        try await signsIn("ben@example.com")
        #expect(session.accounts.accounts.map(\.mail.user) == ["anna@example.com", "ben@example.com"])
        try person.chooses("Accounts", "Sign Out: anna@example.com")
        try await person.waits("the sign-out") { session.accounts.accounts.count == 1 }
        try person.chooses("Accounts", "Add Account")
        try await person.waits(for: "Sign In")
        try person.presses(.escape, [])
        try await person.waits(forNo: "Sign In")
        try person.chooses("Accounts", "Sign Out: ben@example.com")
        try await person.waits(for: "Sign In")
    }

    @Test func `drafts that only this device has are asked about before they are deleted`() async throws {
        try await signsIn()
        world.isConnected = false
        let mail = session.accounts.accounts[0].mail
        var draft = mail.newDraft()
        draft.text = "Only here"
        _ = try await mail.save(draft)
        try person.chooses("Accounts", "Sign Out: anna@example.com")
        let question = "anna@example.com: " + CardTexts(.english)[.unsavedQuestion]
        try await person.waits(for: question)
        try person.taps("Cancel")
        #expect(!person.sees(question) && person.sees("Drafts"))
        try person.chooses("Accounts", "Sign Out: anna@example.com")
        try await person.waits(for: question)
        try person.taps("Sign Out and Delete")
        try await person.waits(for: "Sign In")
    }

    @Test func `accounts that can't be read have a button that tries again`() async throws {
        try await signsIn()
        await session.accounts.accounts[0].mail.close()
        world.signIn.storage.lock(true)
        let session = world.session()
        let person = Person(MailSessionView(session) { Text("Mail") }.inboxTexts(CardTexts(.english)))
        try await person.waits(for: "Try Again")
        world.signIn.storage.lock(false)
        try person.taps("Try Again")
        try await person.waits(for: "Mail")
    }

    @Test func `each button has a name`() async throws {
        world.deliver("Lunch")
        try await signsIn()
        try await opens("Lunch")
        #expect(person.elements.filter { !$0.isNamed }.isEmpty)
        try person.chooses("Accounts", "Add Account")
        try await person.waits(for: "Sign In")
        let unnamed = person.elements.filter { !$0.isNamed }
        #expect(unnamed.isEmpty, "\(unnamed.map(\.label))")
    }
}
