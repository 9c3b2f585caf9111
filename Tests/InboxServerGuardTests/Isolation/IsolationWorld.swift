import Crypto
import Eventually
import Foundation
import GRDB
import Groundwork

@testable import InboxServer
@testable import InboxService

/// A server with a victim who has data of every kind, an attacker, and every kind of credential.
struct IsolationWorld: Sendable {
    let server: TestServer
    let victim: Device
    let attacker: Device
    /// A message to the victim alone.
    let message: String
    /// A second message, which may be recalled.
    let otherMessage: String
    let broadcast: String
    let blob: String
    let webhook: String
    /// The ids of the dead letters.
    let letters: [String]
    /// The id of an API key that may be revoked.
    let key: String
    let receipt: String
    let credentials: [Credential]
    /// Texts that no other person may receive, by their kind.
    let secrets: [String: String]

    static let victimName = "victim-marker-5e1b"
    static let attackerName = "mallory"
    static let eventUID = "uid-marker-77aa"
    static let epoch = "epoch-marker-31f0"
    static let blobContent = Array("content-marker-90cd".utf8)
    /// The texts in the victim's data, by their kind.
    static let markers = [
        "title": "title-marker-8c41", "body": "body-marker-2f6e", "html": "html-marker-6ad0",
        "pair": "pair-marker-b7d3",
        "attribute": "attribute-marker-44b0", "event data": "data-marker-e19c", "address": "address-marker-6d28",
        "settings": "settings-marker-c05f", "key": "key-marker-a3e7", "blob": "content-marker-90cd",
    ]
    /// Texts that every person may receive.
    static let shared: Set<String> = ["settings"]

    /// - Parameter appSecret: The secret with which the app signs tokens.
    static func make(
        on server: TestServer,
        clock: ManualClock,
        receiver: WebhookReceiver,
        appSecret: String
    ) async throws -> IsolationWorld {
        receiver.answer { _ in .status(410) }
        let key = try await apiKey(on: server, named: markers["key"] ?? "", scopes: [.keys])
        let receipt = try await erase("gone-marker-0b52", on: server)
        let (victim, attacker) = (
            try await server.device(of: victimName), try await server.device(of: attackerName)
        )
        _ = try await server.rest("PUT", "/v1/people/\(victimName)", ["attributes": ["plan": text("attribute")]])
        _ = try await server.rest("PUT", "/v1/surfaces/inbox", ["title": text("settings")])
        let content: JSON = [
            "title": text("title"), "body": text("body"), "html": text("html"),
            "additionalData": ["secret": text("pair")],
            "actions": [["id": "go", "text": "Go"]],
        ]
        let message = try await server.send(to: ["person": .string(victimName)], content)
        let otherMessage = try await server.send(to: ["person": .string(victimName)], content)
        let broadcast = try await server.send(to: ["everyone": true], ["title": "For everyone"])
        let upload = try await server.request(
            "POST",
            "/jmap/upload/\(victim.account)",
            body: blobContent,
            headers: victim.authorization
        )
        let blob = upload.json["blobId"]?.stringValue ?? ""
        let hook = try await server.addWebhook(receiver.url + "?" + (markers["address"] ?? ""))
        let letters = try await letters(about: message, of: victim, to: hook.id)
        try await victim.update(
            message,
            ["deletedAt": "2026-05-01T08:00:00Z"],
            batch: ["epoch": .string(epoch), "number": 1]
        )
        try await victim.update(message, ["deletedAt": .null])
        let credentials = try await credentials(on: server, clock: clock, of: victim, attacker, appSecret: appSecret)

        var secrets = markers
        let more = [
            "person": victimName, "account": victim.account, "token": victim.token, "message": message,
            "other message": otherMessage, "event": eventUID, "epoch": epoch, "blob's id": blob,
            "webhook's secret": hook.secret, "letter": letters[0], "receipt": receipt, "admin key": TestServer.adminKey,
        ]
        secrets.merge(more) { first, _ in first }
        return IsolationWorld(
            server: server,
            victim: victim,
            attacker: attacker,
            message: message,
            otherMessage: otherMessage,
            broadcast: broadcast,
            blob: blob,
            webhook: hook.id,
            letters: letters,
            key: key.id,
            receipt: receipt,
            credentials: credentials,
            secrets: secrets
        )
    }

    private static func text(_ marker: String) -> JSON { .string(markers[marker] ?? "") }

    private static func apiKey(
        on server: TestServer,
        named name: String,
        scopes: [Scope],
        expiresAt: String? = nil
    ) async throws -> (id: String, secret: String) {
        var body = JSONObject([("name", .string(name)), ("scopes", JSON(scopes.map(\.rawValue)))])
        body["expiresAt"] = expiresAt.map(JSON.string)
        let answer = try await server.rest("POST", "/v1/keys", .object(body))
        guard let id = answer.json["id"]?.stringValue, let secret = answer.json["key"]?.stringValue else {
            throw UnexpectedResponse(answer: answer.json.description)
        }
        return (id, secret)
    }

    private static func erase(_ person: String, on server: TestServer) async throws -> String {
        _ = try await server.device(of: person)
        return try await server.rest("DELETE", "/v1/people/\(person)").json["id"]?.stringValue ?? ""
    }

    /// Creates dead letters by events that the receiver answers with 410.
    private static func letters(about message: String, of device: Device, to webhook: String) async throws -> [String] {
        let server = device.server
        let address = try await server.webhook(webhook)["url"] ?? .null
        for (number, uid) in [eventUID, "second"].enumerated() {
            _ = try await server.rest("PUT", "/v1/webhooks/\(webhook)", ["url": address, "types": ["*"]])
            try await device.track("displayed", message, uid: uid, data: ["note": text("event data")])
            guard
                try await eventually({
                    let state = try await server.webhook(webhook)
                    return state["deadLetters"] == JSON(number + 1) && state["gone"] == true
                })
            else { throw UnexpectedResponse(answer: "no dead letter") }
        }
        let list = try await server.rest("GET", "/v1/webhooks/\(webhook)/dead-letters").json
        return list["deadLetters"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
    }
}

extension IsolationWorld {
    /// Every kind of credential; the last few are valid for some calls.
    private static func credentials(
        on server: TestServer,
        clock: ManualClock,
        of victim: Device,
        _ attacker: Device,
        appSecret: String
    ) async throws -> [Credential] {
        var credentials = [
            Credential("nothing"), Credential("an empty header", .unknown, ""),
            Credential("a scheme alone", .unknown, "Bearer"), Credential("an empty token", .unknown, "Bearer "),
            Credential("garbage", .unknown, "Bearer a.b.c"), Credential("a null byte's escape", .unknown, "Bearer %00"),
            Credential("a person's id", .unknown, "Bearer \(victimName)"),
            Credential("an account", .unknown, "Bearer \(victim.account)"),
        ]
        let expiring = try await server.rest("POST", "/v1/people/\(victimName)/tokens", ["expiresIn": 60])
        let all = Scope.allCases
        let late = try await apiKey(on: server, named: "late", scopes: all, expiresAt: "2026-05-01T08:01:00Z")
        let revoked = try await apiKey(on: server, named: "revoked", scopes: all)
        // Used once before it is revoked, so that the server has it cached.
        _ = try await server.rest("GET", "/v1/keys", headers: ["Authorization": "Bearer \(revoked.secret)"])
        _ = try await server.rest("DELETE", "/v1/keys/\(revoked.id)")
        let erased = try await server.token(for: "erased")
        _ = try await server.rest("PUT", "/v1/people/erased", ["attributes": [:]])
        _ = try await server.rest("DELETE", "/v1/people/erased")
        let again = try await server.token(for: "again")
        _ = try await server.rest("GET", "/.well-known/jmap", headers: ["Authorization": "Bearer \(again)"])
        _ = try await server.rest("DELETE", "/v1/people/again")
        clock.advance(by: 180)

        let forge = TokenForge(expiresAt: Int(clock.now.timeIntervalSince1970) + 600)
        let secret = Data(appSecret.utf8)
        let wrong = Data(repeating: 7, count: 32)
        let own: Data = try await server.storage().readTables { db in
            try db.value("SELECT value FROM setting WHERE name = 'tokenKey'") ?? Data()
        }
        let app: JSON = ["alg": "HS256", "kid": "app"]
        let wrongTokens = [
            "an expired token": expiring.json["token"]?.stringValue ?? "",
            "an expired key": late.secret, "a revoked key": revoked.secret,
            "an erased person's token": erased, "an erased person's token, used before": again,
            "the app's token for an erased person": forge.token(of: "erased", header: app, signedWith: secret),
            "a token by an unknown secret": forge.token(of: victimName, signedWith: wrong),
            "a token by the empty secret": forge.token(of: victimName, signedWith: Data([0])),
            "a token of an unknown key": forge.token(
                of: victimName,
                header: ["alg": "HS256", "kid": "other"],
                signedWith: secret
            ),
            "the app's key, another secret": forge.token(of: victimName, header: app, signedWith: wrong),
            "the app's key, the server's secret": forge.token(of: victimName, header: app, signedWith: own),
            "the app's key, another algorithm": forge.token(
                of: victimName,
                header: ["alg": "ES256", "kid": "app"],
                signedWith: secret
            ),
            "the app's token that never ends": forge.token(
                of: victimName,
                header: app,
                signedWith: secret,
                claims: ["exp": .null]
            ),
            "the app's token that has ended": forge.token(
                of: victimName,
                header: app,
                signedWith: secret,
                claims: ["exp": JSON(forge.expiresAt - 700)]
            ),
            "another payload": forge.token(of: victimName, underSignatureOf: attacker.token),
            "alg none": forge.unsigned(victim.token, keepingSignature: false),
            "alg none and a signature": forge.unsigned(victim.token, keepingSignature: true),
        ]
        credentials += wrongTokens.sorted { $0.key < $1.key }.map { Credential($0, .unknown, "Bearer \($1)") }
        credentials += Credential.misplaced(victim.token, of: "the person's token")
        credentials += Credential.misplaced(TestServer.adminKey, of: "an API key")
        for scope in all {
            let key = try await apiKey(on: server, named: scope.rawValue, scopes: [scope])
            credentials.append(Credential("a key for \(scope)", .backend([scope]), "Bearer \(key.secret)"))
        }
        credentials.append(.browser(victim.token))
        credentials.append(Credential("every scope", .backend(Set(all)), "Bearer \(TestServer.adminKey)"))
        credentials.append(Credential("the person's token", .victim, "Bearer \(victim.token)"))
        return credentials
    }
}
