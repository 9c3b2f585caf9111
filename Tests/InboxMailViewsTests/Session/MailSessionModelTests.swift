import Foundation
import InboxMail
import InboxMailViews
import MailSignIn
import ReplicaTesting
import Screens
import StandardMailServer
import Testing

/// An app's accounts: from the first sign-in to the last sign-out, over the starts of the app.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailSessionModelTests {
    private let world = SessionWorld()

    private func signIn(_ address: String, _ session: MailSessionModel) async throws {
        if session.signIn == nil { session.beginSignIn() }
        let model = try #require(session.signIn)
        model.address = address
        model.start()
        try await until("\(address)") { session.signIn == nil }
    }

    /// A session with accounts.
    private func session(_ addresses: String...) async throws -> MailSessionModel {
        let session = world.session()
        await session.open()
        for address in addresses { try await signIn(address, session) }
        return session
    }

    private func users(_ session: MailSessionModel) -> [String] { session.accounts.accounts.map(\.mail.user) }

    @Test func `without an account there is a sign-in, and with one the next start opens it`() async throws {
        let session = world.session()
        #expect(session.state == .opening && session.signIn == nil)
        await session.open()
        #expect(session.state == .open && session.signIn != nil && !session.canEndSignIn)
        session.endSignIn()
        #expect(session.signIn != nil, "there is nothing else to show")
        try await signIn("anna@example.com", session)
        #expect(users(session) == ["anna@example.com"] && session.accounts.current?.mail.user == "anna@example.com")
        await session.accounts.accounts[0].mail.close()
        let pages = world.signIn.browser.pages.count
        let again = world.session()
        await again.open()
        #expect(again.signIn == nil && users(again) == ["anna@example.com"])
        #expect(world.signIn.browser.pages.count == pages)
    }

    @Test func `accounts are side by side, and signing in again to one keeps its mail`() async throws {
        let session = try await session("anna@example.com", "ben@example.com")
        #expect(users(session) == ["anna@example.com", "ben@example.com"])
        let mails = session.accounts.accounts.map(\.mail)
        session.beginSignIn(address: "anna@example.com")
        #expect(session.signIn?.address == "anna@example.com" && session.canEndSignIn)
        try await signIn("anna@example.com", session)
        #expect(session.accounts.accounts.map(\.mail).elementsEqual(mails, by: ===))
        session.beginSignIn()
        session.endSignIn()
        #expect(session.signIn == nil && session.accounts.accounts.count == 2)
        await session.open()
        #expect(session.accounts.accounts.map(\.mail).elementsEqual(mails, by: ===))
    }

    @Test func `two calls that open share one opening`() async throws {
        let first = try await session("anna@example.com")
        await first.accounts.accounts[0].mail.close()
        let session = world.session()
        async let one: Void = session.open()
        async let two: Void = session.open()
        _ = await (one, two)
        #expect(users(session) == ["anna@example.com"])
    }

    @Test func `a sign-out removes mail and tokens of one account, the last one asks to sign in`() async throws {
        let session = try await session("anna@example.com", "ben@example.com")
        let anna = session.accounts.accounts[0].mail
        await session.signOut(of: anna)
        #expect(users(session) == ["ben@example.com"] && session.accounts.current?.mail.user == "ben@example.com")
        #expect(world.signIn.storage.addresses == ["ben@example.com"] && session.signIn == nil)
        await #expect(throws: MailError.self) { try await anna.threads() }
        await session.signOut(of: anna)
        #expect(users(session) == ["ben@example.com"], "it is signed out already")
        await session.signOut(of: session.accounts.accounts[0].mail)
        #expect(users(session).isEmpty && session.signIn != nil && world.signIn.storage.addresses.isEmpty)
    }

    @Test func `a sign-out that would lose drafts asks first`() async throws {
        let session = try await session("anna@example.com")
        let mail = session.accounts.accounts[0].mail
        world.isConnected = false
        var draft = mail.newDraft()
        draft.text = "Only here"
        draft = try await mail.save(draft)
        await session.signOut(of: mail)
        #expect(session.askedAbout === mail && users(session) == ["anna@example.com"])
        session.staySignedIn()
        #expect(session.askedAbout == nil)
        await session.signOutAnyway()
        #expect(try await mail.draft(id: draft.id)?.text == "Only here", "there is no question")
        await session.signOut(of: mail)
        await session.signOutAnyway()
        #expect(session.askedAbout == nil && users(session).isEmpty && world.signIn.storage.addresses.isEmpty)
    }

    @Test func `a failure to remove the tokens is reported, and the mail is removed`() async throws {
        let session = try await session("anna@example.com")
        world.signIn.storage.fill(true)
        await session.signOut(of: session.accounts.accounts[0].mail)
        #expect(session.hasSignOutFailed && users(session).isEmpty)
        session.dismissFailure()
        #expect(!session.hasSignOutFailed)
    }

    @Test func `sign-ins that can't be read, and mail that can't be opened, are tried again`() async throws {
        let first = try await session("anna@example.com", "ben@example.com")
        for account in first.accounts.accounts { await account.mail.close() }
        world.signIn.storage.lock(true)
        let session = world.session(in: world.directory.appending(path: "other"))
        await session.open()
        #expect(session.state == .failed && session.signIn == nil)
        world.signIn.storage.lock(false)
        // A file is where the folder should be.
        try Data().write(to: world.directory.appending(path: "other"))
        await session.open()
        #expect(session.state == .open && session.signIn == nil && users(session).isEmpty)
        #expect(session.unopened == ["anna@example.com", "ben@example.com"])
        try FileManager.default.removeItem(at: world.directory.appending(path: "other"))
        // A sign-in opens one of them too.
        try await signIn("ben@example.com", session)
        #expect(session.unopened == ["anna@example.com"] && users(session) == ["ben@example.com"])
        await session.open()
        #expect(session.unopened.isEmpty && users(session) == ["ben@example.com", "anna@example.com"])
    }

    @Test func `mail that has moved to another server replaces the former account`() async throws {
        let session = try await session("anna@example.com", "ben@example.com")
        let (before, other) = (session.accounts.accounts[0].mail, session.accounts.accounts[1].mail)
        world.signIn.moveMail(to: "other.example.com")
        session.beginSignIn(address: "anna@example.com")
        try await signIn("anna@example.com", session)
        let mails = session.accounts.accounts.map(\.mail)
        #expect(mails.map(\.user) == ["ben@example.com", "anna@example.com"] && mails[0] === other)
        #expect(mails[1].server.host() == "other.example.com")
        await #expect(throws: MailError.self) { try await before.threads() }
    }

    @Test func `a sign-in whose mail can't be opened stays on screen, to be finished`() async throws {
        try FileManager.default.createDirectory(at: world.directory, withIntermediateDirectories: true)
        let folder = world.directory.appending(path: "other")
        try Data().write(to: folder)
        let session = world.session(in: folder)
        await session.open()
        let model = try #require(session.signIn)
        model.address = "anna@example.com"
        model.start()
        try await until("the failure") { model.openingError != nil }
        #expect(session.signIn === model && users(session).isEmpty)
        try FileManager.default.removeItem(at: folder)
        await model.finish()
        #expect(session.signIn == nil && users(session) == ["anna@example.com"])
    }
}
