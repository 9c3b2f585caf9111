import Groundwork
import InboxModel
import JMAP

@testable import InboxServer
@testable import InboxService

extension IsolationWorld {
    /// A request for every route and method, in an order in which each succeeds with its own credential.
    var calls: [GuardedCall] { reads + personalCalls + pageCalls + methodCalls + changes }

    private func marker(_ name: String) -> String { Self.markers[name] ?? "" }
    private var person: String { "/v1/people/\(Self.victimName)" }
    private var inboxed: String { "/v1/people/{id}/messages/{message}" }
    private var hook: String { "/v1/webhooks/\(webhook)" }
    private var hooked: JSON { ["url": "https://hooks.example/x", "types": ["*"], "enabled": false] }

    private var reads: [GuardedCall] {
        [
            GuardedCall("GET", "/health", .anyone),
            GuardedCall("GET", "/health/live", .anyone),
            GuardedCall("GET", "/health/ready", .anyone),
            GuardedCall("HEAD", "/health", .anyone),
            GuardedCall("HEAD", "/health/live", .anyone),
            GuardedCall("HEAD", "/health/ready", .anyone),
            GuardedCall("GET", "/openapi.json", .anyone),
            GuardedCall("GET", "/metrics", .backend(.metrics)),
            GuardedCall(
                "GET",
                "/v1/messages/{id}",
                .backend(.messages),
                "/v1/messages/\(message)",
                shows: marker("title")
            ),
            GuardedCall("GET", "/v1/messages", .backend(.messages), shows: marker("title")),
            GuardedCall("GET", "/v1/messages/{id}/figures", .backend(.messages), "/v1/messages/\(message)/figures"),
            GuardedCall("GET", "/v1/people", .backend(.people), shows: Self.victimName),
            GuardedCall("GET", "/v1/people/{id}", .backend(.people), person, shows: marker("attribute")),
            GuardedCall(
                "GET",
                "/v1/people/{id}/export",
                .backend(.people),
                person + "/export",
                shows: marker("pair")
            ),
            GuardedCall(
                "GET",
                "/v1/people/{id}/messages",
                .backend(.people),
                person + "/messages",
                shows: marker("title")
            ),
            GuardedCall("GET", inboxed, .backend(.people), "\(person)/messages/\(message)", shows: marker("title")),
            GuardedCall("GET", "/v1/erasures/{receipt}", .backend(.people), "/v1/erasures/\(receipt)", shows: receipt),
            GuardedCall("GET", "/v1/surfaces", .backend(.surfaces), shows: marker("settings")),
            GuardedCall(
                "GET",
                "/v1/surfaces/{id}",
                .backend(.surfaces),
                "/v1/surfaces/inbox",
                shows: marker("settings")
            ),
            GuardedCall("GET", "/v1/webhooks", .backend(.webhooks), shows: marker("address")),
            GuardedCall("GET", "/v1/webhooks/{id}", .backend(.webhooks), hook, shows: marker("address")),
            GuardedCall(
                "GET",
                "/v1/webhooks/{id}/dead-letters",
                .backend(.webhooks),
                hook + "/dead-letters",
                shows: marker("event data")
            ),
            GuardedCall("GET", "/v1/keys", .backend(.keys), shows: marker("key")),
            GuardedCall("GET", "/v1/audit", .backend(.audit), shows: receipt),
        ]
    }

    private var personalCalls: [GuardedCall] {
        [
            GuardedCall("GET", "/.well-known/jmap", .person, shows: victim.account),
            GuardedCall(
                "GET",
                "/jmap/eventsource",
                .person,
                "/jmap/eventsource?types=InboxMessage&closeafter=state&ping=0",
                headers: ["Last-Event-ID": "none"],
                shows: victim.account
            ),
            GuardedCall(
                "GET",
                "/jmap/download/{account}/{blob}/{name}",
                .person,
                "/jmap/download/\(victim.account)/\(blob)/a.txt?type=text/plain",
                shows: marker("blob")
            ),
            GuardedCall(
                "POST",
                "/jmap/upload/{account}",
                .person,
                "/jmap/upload/\(victim.account)",
                bytes: Array("other content".utf8),
                headers: ["Content-Type": "text/plain"],
                status: 201,
                shows: victim.account
            ),
        ]
    }

    /// The page's requests.
    private var pageCalls: [GuardedCall] {
        let (template, path) = ("/inbox/messages/{id}", "/inbox/messages/\(message)")
        let form = ["Content-Type": "application/x-www-form-urlencoded"]
        return [
            // Without HTML, there is nothing.
            GuardedCall("GET", "/", .anyone, status: 404),
            GuardedCall("GET", "/inbox/style.css", .anyone), GuardedCall("GET", "/inbox/app.js", .anyone),
            GuardedCall("GET", "/inbox/icon.svg", .anyone),
            GuardedCall("GET", "/inbox/**", .anyone, "/inbox/nothing", status: 404),
            GuardedCall("POST", "/inbox/sign-in", .anyone, bytes: Array("token=x".utf8), headers: form, status: 401),
            GuardedCall("GET", "/inbox/sign-in/{code}", .anyone, "/inbox/sign-in/x", status: 401),
            GuardedCall("POST", "/inbox/sign-out", .anyone, status: 303),
            GuardedCall("GET", "/inbox", .browser, shows: marker("title")),
            GuardedCall("GET", template, .browser, path, shows: marker("title")),
            GuardedCall("GET", template + "/html", .browser, path + "/html", shows: marker("html")),
            GuardedCall("GET", template + "/go", .browser, path + "/go", status: 303),
            GuardedCall(
                "GET",
                "/inbox/events",
                .browser,
                "/inbox/events?types=InboxMessage&closeafter=state&ping=0",
                headers: ["Last-Event-ID": "none"],
                shows: victim.account
            ),
        ]
            + [("messages", "id=\(message)&do=read"), ("read-all", "state=0-0"), ("undo", "undo=x")].map {
                name,
                fields in
                GuardedCall("POST", "/inbox/\(name)", .browser, bytes: Array(fields.utf8), headers: form, status: 303)
            }
            // Each action is possible after the one before.
            + ["read", "unread", "archive", "unarchive", "unsnooze", "dismiss", "restore", "delete"].map { action in
                GuardedCall("POST", "\(template)/\(action)", .browser, "\(path)/\(action)", status: 303)
            }
    }

    /// A request of each JMAP method.
    private var methodCalls: [GuardedCall] {
        methodArguments(account: victim.account, other: victim.account).map { method, arguments, shows in
            GuardedCall(
                "POST",
                "/jmap/api",
                .person,
                body: Self.request([[.string(method), arguments, "0"]]),
                shows: shows,
                detail: method
            )
        }
    }

    /// Arguments for each method, about the victim's data.
    ///
    /// - Parameter other: The account to copy from.
    func methodArguments(account: String, other: String) -> [(method: String, arguments: JSON, shows: String?)] {
        let account = JSON.string(account)
        let copy: JSON = ["accountId": account, "fromAccountId": .string(other)]
        let event: JSON = ["uid": .string(Self.eventUID), "message": .string(message), "type": "displayed"]
        let read: JSON = .object(JSONObject([(message, ["readAt": "2026-05-01T08:00:00Z"])]))
        return [
            ("Core/echo", ["a": 1], "Core/echo"),
            ("Blob/copy", adding(["blobIds": [.string(blob)]], to: copy), nil),
            ("PushSubscription/get", ["ids": .null], nil),
            ("PushSubscription/set", ["create": [:]], nil),
            ("InboxMessage/get", ["accountId": account, "ids": [.string(message)]], marker("title")),
            ("InboxMessage/query", ["accountId": account], message),
            ("InboxMessage/queryChanges", ["accountId": account, "sinceQueryState": "0-0"], message),
            ("InboxMessage/changes", ["accountId": account, "sinceState": "0-0"], message),
            ("InboxMessage/counts", ["accountId": account], #""unread":"#),
            (
                "InboxMessage/outline",
                ["accountId": account, "upToState": "0-0", "properties": ["id", "surface"]],
                nil
            ),
            ("InboxMessage/copy", adding(["create": ["k": ["id": .string(message)]]], to: copy), nil),
            ("InboxSurface/get", ["accountId": account], marker("settings")),
            ("InboxSurface/changes", ["accountId": account, "sinceState": "0"], "inbox"),
            ("InboxEvent/set", ["accountId": account, "create": ["k": event]], Self.eventUID),
            ("InboxMessage/set", ["accountId": account, "update": read], message),
        ]
    }

    private func adding(_ more: JSON, to json: JSON) -> JSON {
        .object(
            JSONObject(
                (json.objectValue?.members ?? []).map { ($0.name, $0.value) }
                    + (more.objectValue?.members ?? []).map { ($0.name, $0.value) }
            )
        )
    }

    static func request(_ calls: [JSON], createdIDs: JSON? = nil) -> JSON {
        var request = JSONObject([
            ("using", JSON([CoreCapability.uri, MessageCapability.uri])), ("methodCalls", .array(calls)),
        ])
        request["createdIds"] = createdIDs
        return .object(request)
    }

    private var changes: [GuardedCall] {
        [
            GuardedCall(
                "POST",
                "/v1/messages",
                .backend(.messages),
                body: ["to": ["person": .string(Self.victimName)], "message": ["title": "x"]],
                status: 201
            ),
            GuardedCall(
                "POST",
                "/v1/import/bloomreach",
                .backend(.messages),
                body: ["person": .string(Self.victimName), "messages": [["id": "x", "type": "push"]]]
            ),
            GuardedCall(
                "POST",
                "/v1/import/adobe",
                .backend(.messages),
                body: ["person": .string(Self.victimName), "propositions": [["id": "x"]]]
            ),
            GuardedCall(
                "POST",
                "/v1/import/zeta",
                .backend(.messages),
                body: ["person": .string(Self.victimName), "messages": [["messageId": "x", "title": "x"]]]
            ),
            GuardedCall(
                "PUT",
                "/v1/messages/{id}",
                .backend(.messages),
                "/v1/messages/\(message)",
                body: ["message": ["title": "changed"]]
            ),
            GuardedCall(
                "PATCH",
                "/v1/messages/{id}",
                .backend(.messages),
                "/v1/messages/\(message)",
                body: ["message": ["body": "patched"]]
            ),
            GuardedCall(
                "PATCH",
                inboxed,
                .backend(.people),
                "\(person)/messages/\(message)",
                body: ["archivedAt": "now"]
            ),
            GuardedCall("DELETE", inboxed, .backend(.people), "\(person)/messages/\(broadcast)", status: 204),
            GuardedCall(
                "DELETE",
                "/v1/messages/{id}",
                .backend(.messages),
                "/v1/messages/\(otherMessage)",
                status: 204
            ),
            GuardedCall(
                "POST",
                "/v1/people/{id}/tokens",
                .backend(.tokens),
                person + "/tokens",
                status: 201,
                shows: "token"
            ),
            GuardedCall("PUT", "/v1/people/{id}", .backend(.people), person, body: ["attributes": ["plan": "free"]]),
            GuardedCall("PUT", "/v1/surfaces/{id}", .backend(.surfaces), "/v1/surfaces/inbox", body: ["title": "x"]),
            GuardedCall("DELETE", "/v1/surfaces/{id}", .backend(.surfaces), "/v1/surfaces/inbox", status: 204),
            GuardedCall("POST", "/v1/webhooks", .backend(.webhooks), body: hooked, status: 201, shows: "whsec_"),
            GuardedCall("PUT", "/v1/webhooks/{id}", .backend(.webhooks), hook, body: hooked),
            GuardedCall("POST", "/v1/webhooks/{id}/rotate", .backend(.webhooks), hook + "/rotate", shows: "whsec_"),
            GuardedCall(
                "POST",
                "/v1/webhooks/{id}/dead-letters/{event}/retry",
                .backend(.webhooks),
                hook + "/dead-letters/\(letters[0])/retry",
                status: 202
            ),
            GuardedCall(
                "DELETE",
                "/v1/webhooks/{id}/dead-letters/{event}",
                .backend(.webhooks),
                hook + "/dead-letters/\(letters[1])",
                status: 204
            ),
            GuardedCall("DELETE", "/v1/webhooks/{id}", .backend(.webhooks), hook, status: 204),
            GuardedCall(
                "POST",
                "/v1/keys",
                .backend(.keys),
                body: ["name": "new", "scopes": ["keys"]],
                status: 201,
                shows: "sk_"
            ),
            GuardedCall("DELETE", "/v1/keys/{id}", .backend(.keys), "/v1/keys/\(key)", status: 204),
            GuardedCall(
                "DELETE",
                "/v1/people/{id}/tokens",
                .backend(.tokens),
                person + "/tokens",
                status: 204
            ),
            GuardedCall("POST", "/v1/signing-key/rotate", .backend(.keys), shows: "formerEndsAt"),
            GuardedCall("DELETE", "/v1/people/{id}", .backend(.people), person, shows: "personSha256"),
        ]
    }
}
