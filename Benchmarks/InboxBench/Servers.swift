import Foundation
import Groundwork
import InboxModel
import JMAP

/// Our server and the bare one as processes, and a person with a full inbox.
final class Servers: Sendable {
    let ours: Locked<Child>
    let bare: Locked<Child>
    let port: Int
    let barePort: Int
    /// The database of our server after the inbox was filled. No process has it open.
    let database: URL
    let reader: Account

    static let key = "sk_benchmark_of_32_characters_or_more"

    /// A person's account, as a device knows it.
    struct Account: Sendable {
        let id: String
        let token: String
        /// The state of the person's messages.
        let state: String
    }

    init(_ workspace: Workspace, _ effort: Effort) async throws {
        let file = try workspace.subfolder("server").appendingPathComponent("inbox.sqlite")
        let filling = try Self.start(file)
        let sends = (0..<effort.inbox).map { Self.send(Corpus.content($0), to: "reader") }
        _ = try Load(sends, to: filling.port, seconds: 120, limit: sends.count)
        _ = try Self.sendToMany(effort.recipients).answer(from: filling.port)
        // The last message is to another person. The benchmarks send more messages like it.
        _ = try Self.send(Corpus.content(0), to: "recipient").answer(from: filling.port)
        filling.stop()
        try RawDatabase.checkpoint(file)
        database = try workspace.subfolder("raw").appendingPathComponent("inbox.sqlite")
        try FileManager.default.copyItem(at: file, to: database)

        let ours = try Self.start(file)
        let bare = try Child(["bare"])
        (port, barePort) = (ours.port, bare.port)
        reader = try Self.account("reader", port: ours.port)
        self.ours = Locked(ours)
        self.bare = Locked(bare)
    }

    func stop() {
        ours.withLock { $0.stop() }
        bare.withLock { $0.stop() }
    }

    /// Returns a request to send a message to one person.
    static func send(_ message: JSONObject, to person: String) -> PreparedRequest {
        let body: JSON = ["to": ["person": .string(person)], "message": .object(message)]
        return PreparedRequest(path: "/v1/messages", bearer: key, body: body.utf8)
    }

    /// The prefix of the people's ids in ``sendToMany(_:)``, which a number follows.
    static let manyPrefix = "one-of-many-"

    /// Returns a request to send a message to `count` people.
    static func sendToMany(_ count: Int, named prefix: String = manyPrefix) -> PreparedRequest {
        let people = (0..<count).map { JSON.string("\(prefix)\($0)") }
        let body: JSON = ["to": ["people": .array(people)], "message": .object(Corpus.content(0))]
        return PreparedRequest(path: "/v1/messages", bearer: key, body: body.utf8)
    }

    /// Returns a request to send a message to everyone.
    static func sendToEveryone() -> PreparedRequest {
        let body: JSON = ["to": ["everyone": true], "message": .object(Corpus.content(0))]
        return PreparedRequest(path: "/v1/messages", bearer: key, body: body.utf8)
    }

    /// The filter of the messages that weren't deleted.
    static let notDeleted: JSON = ["property": "deletedAt", "op": "equal", "value": .null]

    /// Returns requests for the newest 50 messages, which are equal except for a call id.
    static func newest(of account: Account, variants: Int = 1) -> [PreparedRequest] {
        let ids = ResultReference(resultOf: "query", name: "InboxMessage/query", path: "/ids").json
        let query = JSONObject([
            ("filter", notDeleted), ("sort", [["property": "deliverAt", "isAscending": false]]), ("limit", 50),
        ])
        return (0..<variants).map { number in
            request(
                [("/query", query, "query"), ("/get", JSONObject([("#ids", ids)]), "records \(number)")],
                of: account
            )
        }
    }

    /// Returns a JMAP request of the reader.
    func request(_ calls: [(method: String, arguments: JSONObject, id: String)]) -> PreparedRequest {
        Self.request(calls, of: reader)
    }

    static func request(
        _ calls: [(method: String, arguments: JSONObject, id: String)],
        of account: Account
    ) -> PreparedRequest {
        let invocations = calls.map { call -> JSON in
            var arguments = JSONObject([("accountId", .string(account.id))])
            for member in call.arguments.members { arguments.add(member.name, member.value) }
            let name = call.method.hasPrefix("/") ? MessageCapability.messageType + call.method : call.method
            return [.string(name), .object(arguments), .string(call.id)]
        }
        let body: JSON = [
            "using": [.string(CoreCapability.uri), .string(MessageCapability.uri)], "methodCalls": .array(invocations),
        ]
        return PreparedRequest(path: "/jmap/api", bearer: account.token, body: body.utf8)
    }

    static func start(_ file: URL, hasFairUse: Bool = true) throws -> Child {
        try start(database: file.path, hasFairUse: hasFairUse)
    }

    /// Starts our server.
    ///
    /// - Parameters:
    ///   - database: The path of a SQLite file, or the address of a database of PostgreSQL.
    ///   - hasFairUse: Whether each person and key is counted.
    static func start(database: String, hasFairUse: Bool = true) throws -> Child {
        try Child(["serve", "--database", database, "--admin-key", key] + (hasFairUse ? [] : ["--without-fair-use"]))
    }

    static func account(_ person: String, port: Int) throws -> Account {
        let token = try token(of: person, port: port)
        let session = try PreparedRequest(get: "/.well-known/jmap", bearer: token).json(from: port)
        guard let id = session["primaryAccounts"]?[MessageCapability.uri]?.stringValue else {
            throw BenchmarkError("no account in the session")
        }
        let unknown = Account(id: id, token: token, state: "")
        let answer = try request([("/get", JSONObject([("ids", [])]), "g")], of: unknown).json(from: port)
        guard let state = answer["methodResponses"]?.arrayValue?.first?.arrayValue?[1]["state"]?.stringValue else {
            throw BenchmarkError("no state")
        }
        return Account(id: id, token: token, state: state)
    }

    static func token(of person: String, port: Int) throws -> String {
        let made = try PreparedRequest(path: "/v1/people/\(person)/tokens", bearer: key, body: []).json(from: port)
        guard let token = made["token"]?.stringValue else { throw BenchmarkError("no token") }
        return token
    }
}
