import Eventually
import Foundation
import Groundwork
import InboxModel
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

/// No data of another person is read or changed: every route and every JMAP method, with every kind of credential.
@Suite(.timeLimit(.minutes(5))) struct IsolationTests {
    private static let appSecret = "0123456789abcdef0123456789abcdef"

    /// Runs a test in a new world.
    private func withWorld(_ body: (IsolationWorld, StoredRows) async throws -> Void) async throws {
        let clock = ManualClock()
        try await withFolder { folder in
            let file = folder.appending(path: "app.key")
            try Data(Self.appSecret.utf8).write(to: file)
            try await withReceiver(clock: clock) { configuration in
                configuration.appTokens = AppTokenSettings(secrets: [file])
            } _: { server, receiver in
                let world = try await IsolationWorld.make(
                    on: server,
                    clock: clock,
                    receiver: receiver,
                    appSecret: Self.appSecret
                )
                try await body(world, try await StoredRows(of: server))
            }
        }
    }

    /// Expects a response to contain no text of the victim's that the request didn't contain itself.
    private func expectNothing(
        of world: IsolationWorld,
        in answer: ReceivedResponse,
        asked: String,
        but shared: Set<String> = [],
        _ name: String
    ) {
        for (what, text) in world.secrets where !shared.contains(what) && !asked.contains(text) {
            #expect(!answer.text.contains(text), "\(name): the answer has the \(what)")
        }
    }

    private func changed(_ before: [String], _ after: [String]) -> Set<String> {
        Set(before).symmetricDifference(after)
    }

    @Test func `every call is rejected for other credentials and changes nothing`() async throws {
        try await withWorld { world, rows in
            let before = try await rows.lines()
            for call in world.calls {
                for credential in world.credentials {
                    guard let status = call.refusal(of: credential) else { continue }
                    let name = "\(call.name) with \(credential.name)"
                    let answer = try await world.server.answer(to: call, from: credential)
                    #expect(answer.status == status, "\(name)")
                    #expect(answer.text.contains("application/problem+json"), "\(name)")
                    #expect(answer.text.contains("Bearer realm="), "\(name)")
                    let asked = call.path + String(decoding: call.body ?? [], as: UTF8.self)
                    expectNothing(of: world, in: answer, asked: asked, name)
                }
                #expect(changed(before, try await rows.lines()) == [], "\(call.name)")
            }
        }
    }

    /// Without this test, a call that always fails would look well guarded.
    @Test func `every call succeeds with its own credential`() async throws {
        try await withWorld { world, _ in
            for call in world.calls {
                for credential in world.credentials.reversed() where call.refusal(of: credential) == nil {
                    let isOne =
                        switch (call.access, credential.holder) {
                        case (.backend(let scope), .backend(let scopes)): scopes == [scope]
                        case (.backend, _): false
                        default: true
                        }
                    guard isOne else { continue }
                    let answer = try await world.server.answer(to: call, from: credential)
                    #expect(answer.status == call.status, "\(call.name) with \(credential.name)")
                    if let shown = call.shows { #expect(answer.text.contains(shown), "\(call.name)") }
                    // One credential is enough: some calls succeed only once.
                    break
                }
            }
        }
    }

    @Test func `every route and method is in the matrix, other methods are 405`() async throws {
        try await withWorld { world, rows in
            let calls = world.calls
            let known = Set(calls.map(\.route))
            #expect(known.subtracting(world.server.routes) == [])
            let methods = calls.filter { $0.route.path == "/jmap/api" }.map(\.detail)
            #expect(methods.sorted() == world.server.methods)

            let before = try await rows.lines()
            for route in world.server.routes where !known.contains(route) {
                let path = calls.first { $0.route.path == route.path }?.path ?? route.path
                for credential in [world.credentials[0]] + world.credentials.suffix(2) {
                    let call = GuardedCall(route.method, route.path, .anyone, path, status: 405)
                    let answer = try await world.server.answer(to: call, from: credential)
                    #expect(answer.status == 405, "\(call.name) has to be in the matrix")
                    expectNothing(of: world, in: answer, asked: path, call.name)
                }
            }
            #expect(changed(before, try await rows.lines()) == [])
        }
    }

    @Test func `another person's token reaches nothing`() async throws {
        try await withWorld { world, rows in
            let token = Credential("another token", .unknown, "Bearer \(world.attacker.token)")
            let before = try await rows.lines(without: IsolationWorld.attackerName)
            for attack in try await world.attacks() {
                let answer = try await world.server.answer(to: attack.call, from: token)
                #expect(answer.status == attack.call.status, "\(attack.name)")
                #expect(answer.text.contains(attack.expected), "\(attack.name)")
                let asked = attack.call.path + String(decoding: attack.call.body ?? [], as: UTF8.self)
                expectNothing(of: world, in: answer, asked: asked, but: IsolationWorld.shared, attack.name)
                let after = try await rows.lines(without: IsolationWorld.attackerName)
                #expect(changed(before, after) == [], "\(attack.name)")
            }
        }
    }

    @Test func `equal blob ids and event uids are separate for each person`() async throws {
        try await withWorld { world, rows in
            let attacker = world.attacker
            let before = try await rows.lines(without: IsolationWorld.attackerName)
            let upload = try await world.server.request(
                "POST",
                "/jmap/upload/\(attacker.account)",
                body: IsolationWorld.blobContent,
                headers: attacker.authorization
            )
            #expect(upload.json["blobId"] == .string(world.blob))
            let event = try await attacker.track("displayed", world.broadcast, uid: IsolationWorld.eventUID)
            #expect(event["created"]?["k"]?["id"] == .string(IsolationWorld.eventUID))
            let after = try await rows.lines(without: IsolationWorld.attackerName)
            // The broadcast's figures count everyone.
            #expect(changed(before, after).filter { !$0.hasPrefix("figure:") } == [])
        }
    }

    @Test func `an event source sends nothing about another person`() async throws {
        try await withWorld { world, _ in
            let victimsState = try await world.victim.state()
            let (stream, status) = await EventStream.open(world.attacker, "types=*&closeafter=no&ping=0")
            defer { stream.close() }
            #expect(status == 200)
            #expect(try await eventually { world.server.watchers.count == 1 })
            try await world.victim.update(world.message, ["readAt": "2026-05-01T08:00:00Z"])
            try await world.server.send(to: ["person": .string(IsolationWorld.victimName)])
            // The first event is the attacker's own.
            try await world.server.send(to: ["person": .string(IsolationWorld.attackerName)])
            let event = try #require(await stream.next())
            let change = try #require(StateChange(json: try JSON(parsing: Array(event.data.utf8))))
            let own = try await world.attacker.state()
            #expect(change.changed == [world.attacker.account: ["InboxMessage": own]])
            #expect(event.id == own && own != victimsState)

            let (late, _) = await EventStream.open(world.attacker, "types=*&ping=0", lastEventID: victimsState)
            defer { late.close() }
            let first = try #require(await late.next())
            #expect(first.id == own && !first.data.contains(world.victim.account))
        }
    }
}
