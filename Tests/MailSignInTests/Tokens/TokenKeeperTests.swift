import Eventually
import Foundation
import Groundwork
import ReplicaTesting
import Testing

@testable import MailSignIn

@Suite(.timeLimit(.minutes(5))) struct TokenKeeperTests {
    private let clock = ManualClock()
    private let server = RotatingServer()
    private let transport: ScriptedTransport
    private var configuration: SignInConfiguration

    init() {
        let server = server
        transport = ScriptedTransport { server.answer($0) }
        configuration = SignInConfiguration()
        configuration.clock = clock
        configuration.transport = transport
    }

    private func keeper(_ storage: any GrantStorage) async throws -> TokenKeeper {
        try await TokenKeeper(address: "anna@example.com", storage: storage, configuration: configuration)
    }

    @Test func `a valid token is returned without a request`() async throws {
        let keeper = try await keeper(MemoryStorage(.sample()))
        #expect(try await keeper.accessToken() == "access-1")
        clock.advance(by: 3_500)
        #expect(try await keeper.accessToken() == "access-1")
        #expect(server.requests.isEmpty)
    }

    @Test func `a hundred that need a token share one refresh`() async throws {
        let storage = MemoryStorage(.sample())
        let keeper = try await keeper(storage)
        clock.advance(by: 3_600)
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await keeper.accessToken() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens == ["access-2"])
        #expect(server.requests.count == 1)
        #expect(
            server.requests.first == [
                "grant_type": "refresh_token", "refresh_token": "refresh-1", "client_id": "client-1",
            ]
        )
        #expect(try await storage.grant(of: "anna@example.com")?.refreshToken == "refresh-2")
    }

    @Test func `a rejected token is refreshed once, however many were rejected with it`() async throws {
        let keeper = try await keeper(MemoryStorage(.sample()))
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await keeper.accessToken(replacing: "access-1") } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens == ["access-2"])
        // A server that rejects new tokens too isn't asked for more and more of them.
        #expect(try await keeper.accessToken(replacing: "access-2") == "access-2")
        #expect(server.requests.count == 1)
        clock.advance(by: 11)
        #expect(try await keeper.accessToken(replacing: "access-2") == "access-3")
    }

    @Test func `new tokens aren't used before they are stored`() async throws {
        let storage = MemoryStorage(.sample())
        let keeper = try await keeper(storage)
        clock.advance(by: 3_600)
        storage.fails = true
        await #expect(throws: SignInError(.storage, "The disk is full.")) { try await keeper.accessToken() }
        await #expect(throws: SignInError.self) { try await keeper.accessToken() }
        #expect(storage.writes.isEmpty)
        storage.fails = false
        #expect(try await keeper.accessToken() == "access-2")
        // The refresh token was used once, though the first writes failed.
        #expect(server.requests.count == 1)
        #expect(storage.writes == ["refresh-2"])
    }

    @Test func `a process that ends before or after the storing leaves a whole grant`() async throws {
        let storage = MemoryStorage(.sample())
        clock.advance(by: 3_600)
        // Before the answer: the next process refreshes with the same token.
        transport.answer { _ in throw TransportError.unreachable("the process has ended") }
        let first = try await keeper(storage)
        await #expect(throws: SignInError.self) { try await first.accessToken() }
        let server = server
        transport.answer { server.answer($0) }
        #expect(try await keeper(storage).accessToken() == "access-2")
        // After the storing: the next one goes on with the new token.
        clock.advance(by: 3_600)
        #expect(try await keeper(storage).accessToken() == "access-3")
        #expect(server.requests.map { $0["refresh_token"] } == ["refresh-1", "refresh-2"])
    }

    @Test func `tokens that another process has refreshed are used`() async throws {
        let storage = MemoryStorage(.sample())
        let (first, second) = (try await keeper(storage), try await keeper(storage))
        clock.advance(by: 3_600)
        #expect(try await first.accessToken() == "access-2")
        #expect(try await second.accessToken() == "access-2")
        #expect(server.requests.count == 1)
    }

    @Test func `an access that the server has ended needs a sign-in, and works after one`() async throws {
        let storage = MemoryStorage(.sample(refresh: "revoked"))
        let keeper = try await keeper(storage)
        clock.advance(by: 3_600)
        for _ in 0..<2 {
            do {
                _ = try await keeper.accessToken()
                Issue.record("there is a token")
            } catch let error as SignInError {
                #expect(error.code == .signInRequired)
            }
        }
        // It isn't tried again with what was refused.
        #expect(server.requests.count == 1)
        try await storage.store(.sample(), of: "anna@example.com")
        #expect(try await keeper.accessToken() == "access-2")
    }

    @Test func `without a refresh token the access ends with the token`() async throws {
        let keeper = try await keeper(MemoryStorage(.sample(refresh: nil)))
        #expect(try await keeper.accessToken() == "access-1")
        clock.advance(by: 3_600)
        await #expect(throws: SignInError.self) { try await keeper.accessToken() }
        #expect(server.requests.isEmpty)
    }

    @Test func `without a network a token is used to its end`() async throws {
        let keeper = try await keeper(MemoryStorage(.sample()))
        transport.answer { _ in throw TransportError.unreachable("no network") }
        clock.advance(by: 3_580)
        #expect(try await keeper.accessToken() == "access-1")
        clock.advance(by: 20)
        do {
            _ = try await keeper.accessToken()
            Issue.record("there is a token")
        } catch let error as SignInError {
            #expect(error.code == .notConnected)
        }
    }

    @Test func `a token endpoint that hangs is left after the time limit`() async throws {
        let keeper = try await keeper(MemoryStorage(.sample()))
        transport.answer { _ in
            try await Task.sleep(for: .seconds(3_600))
            throw CancellationError()
        }
        clock.advance(by: 3_600)
        let waiting = Task { try await keeper.accessToken() }
        #expect(try await eventually { clock.sleeperCount > 0 })
        clock.advance(by: 20)
        await #expect(throws: SignInError.unreachable("auth.example.com", .timedOut(after: 20))) {
            try await waiting.value
        }
    }

    @Test func `a redirect of the token endpoint isn't an answer`() async throws {
        let keeper = try await keeper(MemoryStorage(.sample()))
        transport.answer { request in
            TransportResponse(
                status: 200,
                body: (["access_token": "evil", "token_type": "Bearer"] as JSON).utf8,
                url: URL(string: "https://evil.example/")!
            )
        }
        clock.advance(by: 3_600)
        await #expect(throws: SignInError.self) { try await keeper.accessToken() }
    }

    @Test func `signing out removes the grant and revokes its newest token`() async throws {
        let storage = MemoryStorage(.sample())
        let keeper = try await keeper(storage)
        clock.advance(by: 3_600)
        _ = try await keeper.accessToken()
        #expect(try await keeper.signOut())
        #expect(server.revoked == ["refresh-2"])
        #expect(try await storage.grant(of: "anna@example.com") == nil)
        await #expect(throws: SignInError.self) { try await keeper.accessToken() }
        #expect(try await keeper.signOut() == false)
    }

    @Test func `signing out during a refresh revokes the new token and stores nothing`() async throws {
        let storage = MemoryStorage(.sample())
        let keeper = try await keeper(storage)
        clock.advance(by: 3_600)
        let (server, gate) = (server, AsyncStream<Void>.makeStream())
        let (isAsked, asked) = AsyncStream<Void>.makeStream()
        transport.answer { request in
            if request.url.path() == "/token" {
                asked.yield()
                for await _ in gate.stream { break }
            }
            return server.answer(request)
        }
        let refreshing = Task { try await keeper.accessToken() }
        for await _ in isAsked { break }
        let leaving = Task { try await keeper.signOut() }
        #expect(try await eventually { await keeper.isSignedOut })
        gate.continuation.yield()
        #expect(try await leaving.value)
        await #expect(throws: SignInError.self) { try await refreshing.value }
        #expect(server.revoked == ["refresh-2"])
        #expect(try await storage.grant(of: "anna@example.com") == nil)
    }

    @Test func `without a network signing out still removes the grant`() async throws {
        let storage = MemoryStorage(.sample())
        let keeper = try await keeper(storage)
        transport.answer { _ in throw TransportError.unreachable("no network") }
        #expect(try await keeper.signOut() == false)
        #expect(try await storage.grant(of: "anna@example.com") == nil)
    }
}
