import Foundation
import Groundwork
import InboxModel
import JMAP

/// A minimal JMAP client of one person.
struct Device: Sendable {
    let server: TestServer
    let token: String
    let account: String

    var authorization: [String: String] { ["Authorization": "Bearer \(token)"] }

    func post(_ body: JSON) async throws -> Answer {
        try await server.request("POST", "/jmap/api", body: body.utf8, headers: authorization)
    }

    /// Sends calls, each an array of name, arguments and call id, and returns the method responses.
    func calls(_ calls: [JSON], using: [String] = [CoreCapability.uri, MessageCapability.uri]) async throws -> [JSON] {
        let answer = try await post(["using": JSON(using), "methodCalls": .array(calls)])
        guard answer.status == 200 else {
            throw UnexpectedResponse(answer: String(decoding: answer.bytes, as: UTF8.self))
        }
        return answer.json["methodResponses"]?.arrayValue ?? []
    }

    /// Sends one call, with `accountId` filled in, and returns the arguments of the response. An error has a `type`.
    func call(_ method: String, _ arguments: JSON = [:]) async throws -> JSON {
        var object = arguments.objectValue ?? JSONObject()
        object.add("accountId", .string(account))
        let answers = try await calls([[.string("InboxMessage/" + method), .object(object), "0"]])
        return answers.first?.arrayValue?[1] ?? .null
    }

    /// Returns the ids of the inbox, newest first.
    func ids(_ arguments: JSON = [:]) async throws -> [String] {
        try await call("query", arguments)["ids"]?.strings ?? []
    }

    func message(_ id: String) async throws -> JSON? {
        try await call("get", ["ids": [.string(id)]])["list"]?.arrayValue?.first
    }

    func state() async throws -> String {
        try await call("get", ["ids": []])["state"]?.stringValue ?? ""
    }

    @discardableResult
    func update(_ id: String, _ patch: JSON, batch: JSON? = nil) async throws -> JSON {
        var arguments = JSONObject([("update", .object(JSONObject([(id, patch)])))])
        arguments["batch"] = batch
        return try await call("set", .object(arguments))
    }

    /// Returns all changes since a state. Each page starts at the state where the last one ended.
    func changes(since state: String, maxChanges: Int? = nil) async throws -> Changes {
        var changes = Changes(state: state)
        while true {
            var arguments = JSONObject([("sinceState", .string(changes.state))])
            arguments["maxChanges"] = maxChanges.map { JSON($0) }
            let page = try await call("changes", .object(arguments))
            guard let state = page["newState"]?.stringValue else { throw UnexpectedResponse(answer: page.description) }
            changes.created += page["created"]?.strings ?? []
            changes.updated += page["updated"]?.strings ?? []
            changes.destroyed += page["destroyed"]?.strings ?? []
            changes.state = state
            changes.pages += 1
            guard page["hasMoreChanges"]?.boolValue ?? false else { return changes }
        }
    }
}

struct Changes {
    var state: String
    var created: [String] = []
    var updated: [String] = []
    var destroyed: [String] = []
    var pages = 0

    var isEmpty: Bool { created.isEmpty && updated.isEmpty && destroyed.isEmpty }
}

extension JSON {
    var strings: [String]? { arrayValue?.compactMap(\.stringValue) }
    var type: String? { self["type"]?.stringValue }
}

extension Device {
    /// Uploads a file and returns its id.
    @discardableResult
    func upload(_ content: String) async throws -> String {
        let answer = try await server.request(
            "POST",
            "/jmap/upload/\(account)",
            body: Array(content.utf8),
            headers: authorization
        )
        guard let id = answer.json["blobId"]?.stringValue else {
            throw UnexpectedResponse(answer: answer.json.description)
        }
        return id
    }
}
