import Foundation
import Groundwork
import InboxCards
import InboxMailViews
import MailSignIn
import ReplicaTesting
import Screens
import Testing

/// Signing in, step by step, with every failure in words of its own.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct SignInModelTests {
    private let world = SignInWorld()

    private func waits(_ model: SignInModel, for state: SignInState) async throws {
        try await until("\(state)") { model.state == state }
    }

    private func failure(of model: SignInModel) async throws -> SignInError {
        try await until("an end") { !model.state.isRunning }
        guard case .failed(let error) = model.state else { throw Unexpected("\(model.state)") }
        return error
    }

    // MARK: - Steps

    @Test func `from an address to the browser, and back with stored tokens`() async throws {
        let gate = Gate()
        world.browser.waits(at: gate)
        let model = world.model()
        #expect(!model.canStart && model.state == .address)
        model.address = " anna@example.com "
        #expect(model.canStart)
        model.start()
        #expect(model.state == .findingServer && !model.canStart)
        try await waits(model, for: .inBrowser)
        model.address = "bob@example.com"
        #expect(model.address == " anna@example.com ", "it can't be changed meanwhile")
        await gate.open()
        try await waits(model, for: .signedIn(address: "anna@example.com"))
        #expect(world.storage.addresses == ["anna@example.com"] && world.opened == ["anna@example.com"])
        #expect(world.browser.pages.map { $0.host() } == ["auth.example.com"])
    }

    @Test func `the person is asked about another host before anything is sent there`() async throws {
        world.dns.set(["_jmap._tcp": [ServiceRecord(host: "mail.provider.example", port: 443)]])
        let model = world.model("anna@example.com")
        model.start()
        try await waits(model, for: .asking(host: "mail.provider.example"))
        #expect(world.transport.requests.isEmpty)
        model.confirm(false)
        #expect(model.state == .address && model.address == "anna@example.com")
        for _ in 0..<100 { await Task.yield() }
        #expect(model.state == .address && world.transport.requests.isEmpty)
        model.start()
        try await waits(model, for: .asking(host: "mail.provider.example"))
        model.confirm(true)
        try await until("the request") { !world.transport.requests.isEmpty }
        #expect(world.transport.requests.first?.url.host() == "mail.provider.example")
        #expect(try await failure(of: model).code == .noJMAP)
        model.confirm(true)
    }

    @Test func `a sign-in is cancelled in any step, and what comes later is ignored`() async throws {
        let gate = Gate()
        world.browser.waits(at: gate)
        let model = world.model("anna@example.com")
        model.start()
        model.cancel()
        #expect(model.state == .address)
        model.start()
        try await waits(model, for: .inBrowser)
        model.cancel()
        #expect(model.state == .address && model.address == "anna@example.com")
        await gate.open()
        for _ in 0..<200 { await Task.yield() }
        #expect(model.state == .address && world.storage.addresses.isEmpty && world.opened.isEmpty)
        world.dns.set(["_jmap._tcp": [ServiceRecord(host: "mail.provider.example", port: 443)]])
        model.start()
        try await waits(model, for: .asking(host: "mail.provider.example"))
        model.cancel()
        #expect(model.state == .address)
    }

    @Test func `closing the browser is no failure`() async throws {
        world.browser.fails(SignInError(.cancelled, "closed"))
        let model = world.model("anna@example.com")
        model.start()
        try await until("an end") { !model.state.isRunning }
        #expect(model.state == .address)
    }

    @Test func `mail that can't be opened after the sign-in is tried again without the browser`() async throws {
        world.openingFailure = SignInError(.serverError, "not now")
        let model = world.model("anna@example.com")
        model.start()
        try await waits(model, for: .signedIn(address: "anna@example.com"))
        #expect(model.openingError != nil && world.opened.isEmpty)
        world.openingFailure = nil
        await model.finish()
        #expect(model.openingError == nil && world.opened == ["anna@example.com"] && world.browser.pages.count == 1)
    }

    @Test func `a failure keeps the address, and a retry starts over`() async throws {
        world.servers.fails(.unreachable("no network"))
        let model = world.model("anna@example.com")
        model.start()
        #expect(try await failure(of: model).code == .notConnected && model.address == "anna@example.com")
        world.servers.fails(nil)
        model.start()
        try await waits(model, for: .signedIn(address: "anna@example.com"))
        let typed = world.model("anna@")
        typed.start()
        #expect(try await failure(of: typed).code == .invalidAddress)
        typed.address = "anna@example.com"
        #expect(typed.state == .address && typed.canStart)
    }

    // MARK: - Failures

    /// A world in which a sign-in fails.
    struct Failing: Sendable, CustomStringConvertible {
        let code: SignInError.Code
        let text: CardText
        let change: @Sendable @MainActor (SignInWorld) -> Void

        init(_ code: SignInError.Code, _ text: CardText, _ change: @escaping @Sendable @MainActor (SignInWorld) -> Void)
        {
            (self.code, self.text, self.change) = (code, text, change)
        }

        var description: String { code.description }
    }

    nonisolated static let failing = [
        Failing(.denied, .accessDenied) { $0.browser.returns("error=access_denied") },
        Failing(.refused, .signInRefused) { $0.browser.returns("error=unauthorized_client") },
        Failing(.invalidRedirect, .wrongRedirect) { $0.browser.returns("code=x&state=another") },
        Failing(.wrongIssuer, .wrongIssuer) { $0.servers.change("issuer", to: "https://evil.example") },
        Failing(.expired, .signInExpired) { world in
            world.servers.set("https://auth.example.com/token", status: 400)
            world.servers.set("https://auth.example.com/token", ["error": "invalid_grant"])
        },
        Failing(.notConnected, .noNetwork) { $0.servers.fails(.unreachable("no network")) },
        Failing(.timedOut, .serverTimedOut) { $0.servers.fails(.timedOut(after: 20)) },
        Failing(.noJMAP, .noMailServer) { $0.servers.set("https://mail.example.com/.well-known/jmap", status: 404) },
        Failing(.onlyIMAP, .oldMailServer) { world in
            world.dns.set([
                "_jmap._tcp": [ServiceRecord(host: "", port: 0)],
                "_imaps._tcp": [ServiceRecord(host: "imap.example.com", port: 993)],
            ])
        },
        Failing(.noAuthorizationServer, .noBrowserSignIn) { world in
            let url = "https://mail.example.com/.well-known/oauth-protected-resource/.well-known/jmap"
            world.servers.set(url, nil)
        },
        Failing(.noRegistration, .appNotRegistered) { $0.servers.change("registration_endpoint", to: nil) },
        Failing(.serverError, .serverFailed) {
            $0.servers.set("https://mail.example.com/.well-known/jmap", status: 500)
        },
        Failing(.invalidAnswer, .unreadableAnswer) { $0.servers.set("https://auth.example.com/token", [:]) },
        Failing(.noBrowser, .noBrowser) { $0.browser.fails(SignInError(.noBrowser, "none")) },
        Failing(.storage, .signInNotStored) { $0.storage.fill(true) },
    ]

    @Test(arguments: failing)
    func `each failure has its own text in each language`(_ failing: Failing) async throws {
        failing.change(world)
        let model = world.model("anna@example.com")
        model.start()
        let error = try await failure(of: model)
        #expect(error.code == failing.code, "\(error)")
        for language in CardLanguage.allCases {
            let texts = CardTexts(language)
            #expect(texts.text(of: model.state) == texts[failing.text])
        }
        #expect(world.storage.addresses.isEmpty && world.opened.isEmpty)
    }
}
