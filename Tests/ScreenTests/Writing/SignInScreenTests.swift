import Coverage
import Foundation
import Groundwork
import InboxCards
import InboxMailViews
import InboxViews
import MailSignIn
import ReplicaTesting
import Screens
import StandardMailServer
import Testing

@testable import SwiftUI

/// Signing in on screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct SignInScreenTests {
    private let world = SignInWorld()

    private func person(_ model: SignInModel) -> Person {
        Person(SignInScreen(model).inboxTexts(CardTexts(.english)))
    }

    @Test(.shows(.k01)) func `a person signs in with an address, and confirms another host`() async throws {
        world.dns.set(["_jmap._tcp": [ServiceRecord(host: "mail.provider.example", port: 443)]])
        let model = world.model()
        let person = person(model)
        #expect(person.elements.contains { $0.label == "Continue" && !$0.isEnabled })
        try person.types("anna@example.com", into: "Mail Address")
        try person.taps("Continue")
        try await person.waits(for: "Is your mail on mail.provider.example?")
        try person.taps("No")
        #expect(person.sees("Continue") && world.transport.requests.isEmpty)
        world.dns.set(["_jmap._tcp": [ServiceRecord(host: "mail.example.com", port: 443)]])
        let gate = Gate()
        world.browser.waits(at: gate)
        try person.submits("Mail Address")
        try await person.waits(for: "Sign in in your browser, then return here.")
        #expect(throws: Unexpected.self) { try person.types("bob@example.com", into: "Mail Address") }
        await gate.open()
        try await person.waits(for: "You’re signed in as anna@example.com.")
        #expect(world.opened == ["anna@example.com"])
    }

    @Test func `a failure has a text and can be tried again`() async throws {
        world.servers.fails(.unreachable("no network"))
        let person = person(world.model("anna@example.com"))
        try person.taps("Continue")
        try await person.waits(for: "The server can’t be reached. Check the connection, and try again.")
        world.servers.fails(nil)
        try person.taps("Try Again")
        try await person.waits(for: "You’re signed in as anna@example.com.")
    }

    @Test func `a sign-in is cancelled by its button, and when the screen disappears`() async throws {
        let gate = Gate()
        world.browser.waits(at: gate)
        let model = world.model("anna@example.com")
        let person = person(model)
        try person.taps("Continue")
        try await person.waits(for: "Cancel")
        try person.taps("Cancel")
        #expect(model.state == .address)
        try person.taps("Continue")
        try await person.waits(for: "Cancel")
        // A removed screen leaves nothing behind.
        person.display.close()
        #expect(model.state == .address)
        await gate.open()
    }
}
