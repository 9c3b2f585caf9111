import Foundation
import Groundwork
import InboxModel
import Testing

/// Senders and devices that use a server at the same time, and record its responses.
final class Load: Sendable {
    /// The outcomes of sends and writes.
    private struct State {
        var sent: [String: String?] = [:]
        /// The last date that the server confirmed for a message, and the one that was sent last.
        var confirmed: [String: String] = [:]
        var lastSent: [String: String] = [:]
    }

    // Written by each sender and device.
    private let state = Locked(State())
    private let world: World
    private let person: String

    init(_ world: World, person: String) {
        self.world = world
        self.person = person
    }

    /// The sent messages by key, which is also the title, with the id if the server responded.
    var sent: [String: String?] { state.withLock { $0.sent } }
    var answered: Int { state.withLock { state in state.sent.values.count { $0 != nil } } }
    /// The dates that were confirmed, and those that were sent and may have taken effect.
    var dates: [String: (confirmed: String?, lastSent: String)] {
        state.withLock { state in
            Dictionary(uniqueKeysWithValues: state.lastSent.map { ($0, (state.confirmed[$0], $1)) })
        }
    }

    /// Sends one message after the other until the server doesn't respond.
    func sendUntilServerStops(_ name: String) async {
        for number in 0... {
            let key = "\(name)-\(number)"
            state.withLock { $0.sent[key] = .some(nil) }
            guard let id = try? await send(key) else { return }
            state.withLock { $0.sent[key] = id }
        }
    }

    /// Sends the message with a key, and returns its id.
    func send(_ key: String) async throws -> String {
        let answer = try await world.request(
            "POST",
            "/v1/messages",
            body: ["to": ["person": .string(person)], "message": ["title": .string(key)]],
            headers: ["Idempotency-Key": key]
        )
        #expect(answer.status == 201)
        return try #require(try JSON(parsing: answer.bytes)["id"]?.stringValue)
    }

    /// Sets one date after the other on a message, each in its own batch, until the server doesn't respond.
    func setDates(on id: String, _ device: JMAPDevice) async {
        for number in 1... {
            let date = RFC3339.string(from: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)))
            state.withLock { $0.lastSent[id] = date }
            guard (try? await device.set(id, readAt: date, batch: number)) != nil else { return }
            state.withLock { $0.confirmed[id] = date }
        }
    }
}

/// A minimal JMAP client: one call per request.
struct JMAPDevice: Sendable {
    let world: World
    let token: String
    let account: String
    let epoch = UUID().uuidString

    init(_ world: World, person: String) async throws {
        self.world = world
        token = try await world.token(for: person)
        let headers = ["Authorization": "Bearer \(token)"]
        let answer = try await world.request("GET", "/.well-known/jmap", headers: headers)
        account = try #require(
            try JSON(parsing: answer.bytes)["primaryAccounts"]?.objectValue?.members.first?.value.stringValue
        )
    }

    func call(_ method: String, _ arguments: [(String, JSON)]) async throws -> JSON {
        let using: JSON = ["urn:ietf:params:jmap:core", .string(MessageCapability.uri)]
        let object = JSON.object(JSONObject([("accountId", .string(account))] + arguments))
        let answer = try await world.request(
            "POST",
            "/jmap/api",
            body: ["using": using, "methodCalls": [[.string("InboxMessage/" + method), object, "0"]]],
            headers: ["Authorization": "Bearer \(token)"]
        )
        let response = try JSON(parsing: answer.bytes)["methodResponses"]?.arrayValue?.first?.arrayValue
        guard answer.status == 200, let response, response[0] != "error" else {
            throw RunningProcess.Ended(description: String(decoding: answer.bytes, as: UTF8.self))
        }
        return response[1]
    }

    func set(_ id: String, readAt: String, batch: Int) async throws {
        let update: JSON = .object(JSONObject([(id, ["readAt": .string(readAt)])]))
        let batch: JSON = ["epoch": .string(epoch), "number": JSON(batch)]
        _ = try await call("set", [("update", update), ("batch", batch)])
    }

    /// All messages of the inbox.
    func messages() async throws -> [JSON] {
        var all: [JSON] = []
        while true {
            let ids = try await call("query", [("position", JSON(all.count)), ("limit", 250)])["ids"] ?? []
            guard ids != [] else { return all }
            all += try await call("get", [("ids", ids)])["list"]?.arrayValue ?? []
        }
    }
}
