import Coverage
import Foundation
import InboxCards
import InboxKitCompatibility
import InboxMail
import InboxMailViews
import InboxViews
import MailSignIn
import ReplicaTesting
import Screens
import StandardMailServer
import Testing

@testable import SwiftUI
@_spi(Running) import UIKit

/// The screens under InboxKit's names. What UIKit would show of SwiftUI's views is shown by a display.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct InboxKitControllerTests {
    private let world = SessionWorld()
    private let manager = INAPIManager()

    private func namespace() async throws -> INNamespace {
        let namespace = try await manager.authenticate(
            server: StandardMailServer.url,
            credentials: .basic(user: StandardMailServer.user) { "secret" },
            directory: world.directory,
            configuration: world.mail
        )
        try await namespace.mail.sync()
        return namespace
    }

    /// A person at the view of a hosting controller that an object has.
    private func person(at object: Any) throws -> Person {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror {
            for child in current.children {
                if child.label == "rootView", let view = child.value as? any View { return person(view) }
            }
            mirror = current.superclassMirror
        }
        throw Unexpected("it has no view of SwiftUI's")
    }

    private func person(_ view: some View) -> Person { Person(view.inboxTexts(CardTexts(.english))) }

    @Test(.shows(.k01)) func `a list of threads returns the unique object of the one that is tapped`() async throws {
        world.deliver("Lunch")
        let namespace = try await namespace()
        let controller = INThreadListViewController(namespace: namespace)
        var selected: [INThread] = []
        controller.didSelectThread = { selected.append($0) }
        controller.loadViewIfNeeded()
        let person = try person(at: try #require(controller.children.first))
        #expect(controller.view.subviews.count == 1)
        try await person.waits(for: "Lunch")
        try person.taps("Lunch")
        try await person.waits("the thread") { !selected.isEmpty }
        #expect(selected.first?.subject == "Lunch" && controller.model.opened == nil)
        let id = try #require(selected.first?.ID)
        #expect(try await namespace.thread(withID: id) === selected.first)
    }

    @Test func `a thread that is deleted before the tap isn't opened`() async throws {
        world.deliver("Lunch")
        let namespace = try await namespace()
        let controller = INThreadListViewController(namespace: namespace)
        var selected: [INThread] = []
        controller.didSelectThread = { selected.append($0) }
        controller.loadViewIfNeeded()
        let person = try person(at: try #require(controller.children.first))
        try await person.waits(for: "Lunch")
        let open = try #require(person.elements.first { $0.label.contains("Lunch") }?.activate)
        world.server.empty("inbox")
        try await namespace.mail.sync()
        open()
        for _ in 0..<100 { await Task.yield() }
        #expect(selected.isEmpty)
    }

    @Test(.shows(.k01)) func `a draft is written and sent`() async throws {
        let namespace = try await namespace()
        let draft = INDraft(in: namespace)
        draft.to = [EmailAddress(name: "Bob", email: "bob@example.org")]
        draft.subject = "Lunch"
        var ended: [ComposePhase] = []
        let controller = INComposeViewController(draft: draft) { ended.append($0) }
        let person = person(controller.rootView)
        try await person.waits("the recipient") { person.elements.contains { $0.label == "Bob, bob@example.org" } }
        try person.types("At one?", into: "Message")
        try person.taps("Send")
        try await person.waits("the end") { !ended.isEmpty }
        #expect(controller.model.subject == "Lunch")
        world.signIn.clock.advance(by: 6)
        try await namespace.mail.sync()
        try await person.waits("the mail") { world.server.deliveries.map(\.text) == ["At one?"] }
    }

    @Test(.shows(.k01)) func `a person signs in, and the account is among the namespaces`() async throws {
        var signIn = INSignIn(
            browser: world.signIn.browser,
            storage: world.signIn.storage,
            directory: world.directory
        ) { _ in false }
        signIn.configuration = world.configuration
        signIn.mail = world.mail
        manager.signIn = signIn
        var opened: [INNamespace] = []
        let controller = INSignInViewController(try manager.signInModel { opened.append($0) })
        let person = person(controller.rootView)
        try person.types("anna@example.com", into: "Mail Address")
        try person.taps("Continue")
        try await person.waits("the account") { !opened.isEmpty }
        #expect(opened.map(\.emailAddress) == ["anna@example.com"])
        #expect(manager.namespaces().first === opened.first)
        try await person.waits("the end") { controller.model.state == .signedIn(address: "anna@example.com") }
    }

    @Test(.shows(.k07)) func `a message's body measures itself, and is gone when there is no message`() async throws {
        final class Delegate: INMessageContentViewDelegate {
            var sizes: [CGSize] = []
            func messageContentViewSizeDetermined(_ size: CGSize) { sizes.append(size) }
        }
        world.deliver("Lunch")
        let namespace = try await namespace()
        let id = try #require(try await namespace.mail.messages().first?.id)
        let (view, delegate) = (INMessageContentView(frame: .zero), Delegate())
        view.delegate = delegate
        #expect(view.subviews.isEmpty && view.intrinsicContentSize.height == 0)
        view.message = try await namespace.message(withID: id)
        let body = try #require(view.subviews.first as? MailBodyUIView)
        let host = Mirror(reflecting: body).children.first { $0.label == "host" }
        let person = try person(at: try #require(host).value)
        try await person.waits(for: "At one?")
        try await person.waits("a height") { delegate.sizes.last.map { $0.height > 0 } ?? false }
        #expect(view.intrinsicContentSize.height == delegate.sizes.last?.height)
        var links: [URL] = []
        view.openURL = { links.append($0) }
        let link = try #require(URL(string: "https://example.org/"))
        body.model.openURL?(link)
        #expect(links == [link])
        view.message = try await namespace.message(withID: id)
        #expect(view.subviews.first === body, "it is the same message")
        view.clearContent()
        #expect(view.subviews.isEmpty && view.intrinsicContentSize.height == 0)
    }
}
