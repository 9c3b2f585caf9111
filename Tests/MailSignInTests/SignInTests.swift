import Eventually
import Foundation
import Groundwork
import ReplicaTesting
import Testing

@testable import MailSignIn

/// The sign-in with its effects: DNS, requests, the person and the browser.
@Suite(.timeLimit(.minutes(5))) struct SignInTests {
    private struct Resolver: ServiceResolver {
        var answer: @Sendable (_ service: String) async throws -> [ServiceRecord]

        func records(of service: String, in domain: String) async throws -> [ServiceRecord] {
            try await answer(service)
        }
    }

    private final class Browser: SignInBrowser {
        let answer: @Sendable (URL) async throws -> URL
        let closed = Locked(0)

        init(_ answer: @escaping @Sendable (URL) async throws -> URL) { self.answer = answer }

        func prepare() async throws -> URL { URL(string: "http://127.0.0.1:5000/return")! }
        func open(_ page: URL) async throws -> URL { try await answer(page) }
        func close() async { closed.withLock { $0 += 1 } }
    }

    private let clock = ManualClock()
    private var configuration = SignInConfiguration()
    private let requests = Locked<[String]>([])

    init() {
        let (answers, requests) = (MachineScript.complete.answers, requests)
        configuration.clock = clock
        configuration.resolver = Resolver { _ in [ServiceRecord(host: "mail.example.com", port: 443)] }
        configuration.transport = ScriptedTransport { request in
            requests.withLock { $0.append(request.url.absoluteString) }
            guard case .response(let status, let headers, let body)? = answers[request.url.absoluteString] else {
                return TransportResponse(status: 404, url: request.url)
            }
            return TransportResponse(status: status, headers: headers, body: body?.utf8 ?? [], url: request.url)
        }
    }

    private static let returning = Browser { page in
        URL(
            string:
                "http://127.0.0.1:5000/return?code=c&state=\(page.field("state"))&iss=https%3A%2F%2Fauth.example.com"
        )!
    }

    private func signIn(_ browser: Browser = returning, asks: Bool = true) throws -> SignIn {
        try SignIn(address: "anna@example.com", browser: browser, configuration: configuration) { _ in asks }
    }

    private func failure(_ signIn: SignIn) async -> SignInError.Code? {
        do {
            _ = try await signIn.run()
            return nil
        } catch {
            return (error as? SignInError)?.code
        }
    }

    @Test func `an address is enough to get tokens, and a second call returns the same`() async throws {
        let browser = Browser { try await Self.returning.answer($0) }
        let signIn = try signIn(browser)
        let grant = try await signIn.run()
        #expect(grant.accessToken == "access-1")
        #expect(try await signIn.run() == grant)
        #expect(browser.closed.withLock { $0 } == 1)
    }

    @Test func `each sign-in has a state and a verifier of its own`() async throws {
        let pages = Locked<[URL]>([])
        for _ in 0..<2 {
            let browser = Browser { page in
                pages.withLock { $0.append(page) }
                return try await Self.returning.answer(page)
            }
            _ = try await signIn(browser).run()
        }
        let states = pages.withLock { $0 }.map { $0.field("state") }
        let digests = pages.withLock { $0 }.map { $0.field("code_challenge") }
        #expect(Set(states).count == 2 && Set(digests).count == 2)
        for text in states + digests { #expect(text.utf8.count == 43) }
    }

    @Test func `cancelling closes the browser`() async throws {
        let browser = Browser { _ in
            try await Task.sleep(for: .seconds(3_600))
            throw CancellationError()
        }
        let signIn = try signIn(browser)
        let running = Task { await failure(signIn) }
        #expect(try await eventually { requests.withLock { $0.last } == "https://auth.example.com/register" })
        // Wherever it is: the registration may still be under way.
        await signIn.cancel()
        #expect(await running.value == .cancelled)
        #expect(browser.closed.withLock { $0 } == 1)
        #expect(await failure(signIn) == .cancelled)
    }

    @Test func `the browser's error is the sign-in's error`() async throws {
        let cancelled = Browser { _ in throw SignInError(.cancelled, "The sheet was closed.") }
        #expect(await failure(try signIn(cancelled)) == .cancelled)
        let missing = Browser { _ in throw CocoaError(.fileNoSuchFile) }
        #expect(await failure(try signIn(missing)) == .noBrowser)
        #expect(missing.closed.withLock { $0 } == 1)
    }

    @Test func `a sign-in without a return expires after 15 minutes`() async throws {
        let isOpen = Locked(false)
        let browser = Browser { _ in
            isOpen.withLock { $0 = true }
            try await Task.sleep(for: .seconds(3_600))
            throw CancellationError()
        }
        let signIn = try signIn(browser)
        let running = Task { await failure(signIn) }
        // The limits of the requests before have ended.
        #expect(try await eventually { isOpen.withLock { $0 } && clock.sleeperCount == 1 })
        clock.advance(by: 899)
        #expect(clock.sleeperCount == 1)
        clock.advance(by: 1)
        #expect(await running.value == .expired)
    }

    @Test func `a server that hangs is left after 20 seconds`() async throws {
        var changed = self
        changed.configuration.transport = ScriptedTransport { _ in
            try await Task.sleep(for: .seconds(3_600))
            throw CancellationError()
        }
        let signIn = try changed.signIn()
        let running = Task { await failure(signIn) }
        #expect(try await eventually { clock.sleeperCount > 0 })
        clock.advance(by: 20)
        #expect(await running.value == .timedOut)
    }

    @Test func `sign-in continues after a DNS failure and ends after a declined host`() async throws {
        var changed = self
        changed.configuration.resolver = Resolver { _ in throw SignInError.noDNS }
        #expect(await failure(try changed.signIn()) == .noJMAP)
        #expect(requests.withLock { $0 } == ["https://example.com/.well-known/jmap"])
        changed.configuration.resolver = Resolver { _ in [ServiceRecord(host: "elsewhere.example", port: 443)] }
        #expect(await failure(try changed.signIn(asks: false)) == .cancelled)
    }
}
