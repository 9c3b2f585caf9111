import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// How many events of one person a server stores.
@Suite(.timeLimit(.minutes(5))) struct EventQuotaTests {
    private func configure(_ change: @escaping (inout FairUse) -> Void) -> (inout InboxServerConfiguration) -> Void {
        { change(&$0.fairUse) }
    }

    @Test func `events past their byte quota are rejected per person`() async throws {
        try await withServer(configure: configure { $0.eventSize = 1_000 }) { server in
            let device = try await server.device(of: "ann")
            let id = try await server.send(to: ["person": "ann"])
            let data: JSON = ["text": .string(String(repeating: "x", count: 600))]
            for uid in ["u1", "u2"] {
                #expect(try await device.track("clicked", id, uid: uid, data: data)["created"]?["k"] != nil)
            }
            let refused = try await device.track("clicked", id, uid: "u3")
            #expect(refused["notCreated"]?["k"]?["type"] == "overQuota", "\(refused)")
            let other = try await server.device(of: "bob")
            let theirs = try await server.send(to: ["person": "bob"])
            #expect(try await other.track("clicked", theirs, uid: "u1", data: data)["created"]?["k"] != nil)
        }
    }

    @Test func `events past the quota are rejected, also after a restart`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            for round in 0..<2 {
                let server = try await TestServer.start(
                    file: file,
                    clock: ManualClock(),
                    configure: configure { $0.events = 3 }
                )
                let device = try await server.device(of: "ann")
                let message = try await server.send(to: ["person": "ann"])
                if round == 0 {
                    for uid in ["u1", "u2", "u3"] {
                        #expect(try await device.track("opened", message, uid: uid)["created"]?["k"] != nil)
                    }
                    // A repeated event needs no room.
                    #expect(try await device.track("opened", message, uid: "u3")["created"]?["k"]?["id"] == "u3")
                }
                let refused = try await device.track("opened", message, uid: "v\(round)")
                #expect(refused["notCreated"]?["k"]?["type"] == "overQuota")
                let other = try await server.device(of: "bob\(round)")
                let theirs = try await server.send(to: ["person": .string("bob\(round)")])
                #expect(try await other.track("opened", theirs, uid: "w")["created"]?["k"] != nil)
                try await server.stop()
            }
        }
    }

    @Test func `parallel requests don't exceed the quota of events`() async throws {
        try await withServer(configure: configure { $0.events = 20 }) { server in
            let device = try await server.device(of: "ann")
            let id = try await server.send(to: ["person": "ann"])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for request in 0..<12 {
                    group.addTask {
                        let events = (0..<5).map { number -> JSONObject.Member in
                            let uid = "u\(request)-\(number)"
                            return (uid, ["uid": .string(uid), "message": .string(id), "type": "opened"])
                        }
                        _ = try await device.setEvents(["create": .object(JSONObject(events))])
                    }
                }
                try await group.waitForAll()
            }
            let rows: Int? = try await server.storage().readTables { try $0.value("SELECT count(*) FROM event") }
            #expect(rows == 20)
        }
    }

    @Test func `past the quota of events, the page stores none, and its actions are done`() async throws {
        try await withServer(configure: configure { $0.events = 1 }) { server in
            let ids = [try await server.send(to: ["person": "ann"]), try await server.send(to: ["person": "ann"])]
            let browser = try await Browser.signedIn("ann", on: server)
            for id in ids { #expect(try await browser.post("/inbox/messages/\(id)/dismiss").status == 303) }
            let messages = try await server.device(of: "ann").call("get", ["ids": JSON(ids)])["list"]?.arrayValue ?? []
            #expect(messages.count == 2 && messages.allSatisfy { $0["deletedAt"] != .null })
            let rows: Int? = try await server.storage().readTables { try $0.value("SELECT count(*) FROM event") }
            #expect(rows == 1)
        }
    }

    @Test func `the byte quota of events counts bytes, not characters, after a restart`() async throws {
        try await withFolder { folder in
            for round in 0..<2 {
                let server = try await TestServer.start(
                    file: folder.appending(path: "inbox.sqlite"),
                    clock: ManualClock(),
                    configure: configure { $0.eventSize = 1_900 }
                )
                let device = try await server.device(of: "ann")
                let id = try await server.send(to: ["person": "ann"])
                // 968 bytes, 248 characters.
                let data: JSON = ["a": .string(String(repeating: "😀", count: 240))]
                for uid in round == 0 ? ["u1", "u2"] : [] {
                    #expect(try await device.track("opened", id, uid: uid, data: data)["created"]?["k"] != nil)
                }
                let refused = try await device.track("opened", id, uid: "u3", data: data)
                #expect(refused["notCreated"]?["k"]?["type"] == "overQuota", "\(round)")
                try await server.stop()
            }
        }
    }
}
