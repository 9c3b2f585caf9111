import Groundwork
import JMAP

@testable import InboxServer
@testable import InboxService

/// A request with a valid token about another person's data.
struct Attack: Sendable {
    let name: String
    let call: GuardedCall
    /// A part of the expected response.
    let expected: String

    init(_ name: String, _ call: GuardedCall, _ expected: String) {
        (self.name, self.call, self.expected) = (name, call, expected)
    }
}

extension IsolationWorld {
    func attacks() async throws -> [Attack] {
        try await methodAttacks + messageAttacks + stateAttacks(victim.state()) + referenceAttacks + blobAttacks
    }

    private func attack(_ name: String, _ calls: [JSON], createdIDs: JSON? = nil, _ expected: String) -> Attack {
        let body = Self.request(calls, createdIDs: createdIDs)
        return Attack(name, GuardedCall("POST", "/jmap/api", .person, body: body), expected)
    }

    /// A call in the attacker's own account.
    private func own(_ method: String, _ arguments: JSON, id: String = "0") -> JSON {
        var object = JSONObject([("accountId", .string(attacker.account))])
        for member in arguments.objectValue?.members ?? [] { object.add(member.name, member.value) }
        return [.string(method), .object(object), .string(id)]
    }

    /// Each method with the victim's account, and with the attacker's own account for the victim's records.
    private var methodAttacks: [Attack] {
        let refusals = [
            "Core/echo": "Core/echo", "PushSubscription/get": "forbidden", "PushSubscription/set": "forbidden",
        ]
        let theirs = methodArguments(account: victim.account, other: attacker.account)
        let mine = methodArguments(account: attacker.account, other: victim.account)
        let answers = [
            "Blob/copy": "fromAccountNotFound", "InboxMessage/copy": "fromAccountNotFound",
            "InboxMessage/get": #""list":[],"notFound":["\#(message)"]"#, "InboxMessage/set": #""type":"notFound""#,
            "InboxMessage/query": #""ids":["\#(broadcast)"]"#, "InboxMessage/changes": #""created":["\#(broadcast)"]"#,
            "InboxEvent/set": "invalidProperties", "PushSubscription/get": "forbidden",
            "PushSubscription/set": "forbidden",
        ]
        return theirs.map { method, arguments, _ in
            attack(
                "\(method) in the other account",
                [[.string(method), arguments, "0"]],
                refusals[method] ?? "accountNotFound"
            )
        }
            + mine.map { method, arguments, _ in
                attack("\(method) in the own account", [[.string(method), arguments, "0"]], answers[method] ?? method)
            }
    }

    private var messageAttacks: [Attack] {
        let (id, none) = (JSON.string(message), #""ids":[]"#)
        let (get, query, set) = ("InboxMessage/get", "InboxMessage/query", "InboxMessage/set")
        let onlyBroadcast = #""ids":["\#(broadcast)"]"#
        let secret = "additionalData/secret"
        let patch: JSON = .object(JSONObject([(message, ["archivedAt": "2026-05-01T08:00:00Z"])]))
        return [
            attack("all messages", [own(get, ["ids": .null])], broadcast),
            attack("filter by id", [own(query, ["filter": condition("id", "equal", id)])], none),
            attack("filter by ids", [own(query, ["filter": condition("id", "in", [id])])], none),
            attack("filter by a pair", [own(query, ["filter": condition(secret, "startsWith", "pair")])], none),
            attack("filter by text", [own(query, ["filter": condition("title", "contains", "marker")])], none),
            attack(
                "filter by what isn't",
                [own(query, ["filter": filter("NOT", condition("title", "equal", "x")), "calculateTotal": true])],
                #""total":1"#
            ),
            attack("sort by a pair", [own(query, ["sort": [["property": .string(secret)]]])], onlyBroadcast),
            attack("anchor", [own(query, ["anchor": id])], "anchorNotFound"),
            attack(
                "anchor in a sort",
                [own(query, ["anchor": id, "sort": [["property": "title"]]])],
                "anchorNotFound"
            ),
            attack("destroy", [own(set, ["destroy": [id]])], "notDestroyed"),
            attack(
                "another's batch",
                [own(set, ["update": patch, "batch": ["epoch": .string(Self.epoch), "number": 1]])],
                #""type":"notFound""#
            ),
            attack("change an event", [own("InboxEvent/set", ["update": [Self.eventUID: [:]]])], "notUpdated"),
            attack(
                "take an event back",
                [own("InboxEvent/set", ["destroy": [.string(Self.eventUID)]])],
                "notDestroyed"
            ),
        ]
    }

    /// - Parameter state: The victim's state.
    private func stateAttacks(_ state: String) -> [Attack] {
        [
            attack(
                "changes since another's state",
                [own("InboxMessage/changes", ["sinceState": .string(state)])],
                "cannotCalculateChanges"
            ),
            attack(
                "query changes since another's state",
                [own("InboxMessage/queryChanges", ["sinceQueryState": .string(state)])],
                "cannotCalculateChanges"
            ),
            attack(
                "query changes up to another's message",
                [own("InboxMessage/queryChanges", ["sinceQueryState": "0-0", "upToId": .string(message)])],
                #""added":[{"id":"\#(broadcast)","index":0}]"#
            ),
            attack(
                "another's state expected",
                [own("InboxMessage/set", ["ifInState": .string(state), "destroy": [.string(message)]])],
                "stateMismatch"
            ),
        ]
    }

    private var referenceAttacks: [Attack] {
        let (get, set) = ("InboxMessage/get", "InboxMessage/set")
        func reference(_ name: String, _ path: String) -> JSON {
            ["resultOf": "0", "name": .string(name), "path": .string(path)]
        }
        let query: JSON = ["InboxMessage/query", ["accountId": .string(victim.account)], "0"]
        let echo: JSON = ["Core/echo", ["ids": [.string(message)], "accountId": .string(victim.account)], "0"]
        let created: JSON = ["k": .string(message)]
        let event: JSON = ["uid": "own", "message": "#k", "type": "displayed"]
        return [
            attack(
                "the result of a refused query",
                [query, own(get, ["#ids": reference("InboxMessage/query", "/ids")], id: "1")],
                "invalidResultReference"
            ),
            attack(
                "the result of an error",
                [query, own(get, ["#ids": reference("error", "/ids")], id: "1")],
                "invalidResultReference"
            ),
            attack(
                "an echoed id",
                [echo, own(get, ["#ids": reference("Core/echo", "/ids")], id: "1")],
                #""list":[],"notFound":["\#(message)"]"#
            ),
            attack(
                "an echoed account",
                [echo, [.string(get), ["#accountId": reference("Core/echo", "/accountId"), "ids": .null], "1"]],
                "accountNotFound"
            ),
            attack("get what was created", [own(get, ["ids": ["#k"]])], createdIDs: created, #""list":[]"#),
            attack(
                "change what was created",
                [own(set, ["update": ["#k": ["readAt": "2026-05-01T08:00:00Z"]], "destroy": ["#k"]])],
                createdIDs: created,
                "notUpdated"
            ),
            attack(
                "an event of what was created",
                [own("InboxEvent/set", ["create": ["e": event]])],
                createdIDs: created,
                "notCreated"
            ),
        ]
    }

    private var blobAttacks: [Attack] {
        func download(_ account: String) -> GuardedCall {
            let template = "/jmap/download/{account}/{blob}/{name}"
            return GuardedCall("GET", template, .person, "/jmap/download/\(account)/\(blob)/a.txt", status: 404)
        }
        let upload = GuardedCall(
            "POST",
            "/jmap/upload/{account}",
            .person,
            "/jmap/upload/\(victim.account)",
            bytes: Array("planted".utf8),
            status: 404
        )
        return [
            Attack("download from the other account", download(victim.account), "no such account"),
            Attack("download from the own account", download(attacker.account), "no file"),
            Attack(
                "download from one account by way of the other",
                download("\(attacker.account)%2F..%2F\(victim.account)"),
                "no such account"
            ),
            Attack("upload to the other account", upload, "no such account"),
        ]
    }
}
