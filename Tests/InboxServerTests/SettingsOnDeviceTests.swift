import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import Testing

/// The settings of surfaces, from the backend's request to the device.
@Suite(.timeLimit(.minutes(10))) struct SettingsOnDeviceTests {
    private func inbox(_ server: TestServer, in folder: URL, isLive: Bool = true) async throws -> Inbox {
        var configuration = InboxConfiguration()
        configuration.isLive = isLive
        return try await Inbox.open(
            server: server.url,
            person: "ann",
            directory: folder,
            configuration: configuration
        ) { try await server.token(for: "ann") }
    }

    @Test func `surface settings and their changes reach a live device`() async throws {
        try await withServer { server in
            try await withFolder { folder in
                let inbox = try await inbox(server, in: folder)
                var settings = inbox.observeSettings(surface: "inbox").makeAsyncIterator()
                #expect(await settings.next() == .success(nil))
                #expect(try await eventually { inbox.connectionState == .live })
                for title in ["One", "Two", "Three"] {
                    _ = try await server.rest("PUT", "/v1/surfaces/inbox", ["title": .string(title)])
                    #expect(await settings.next() == .success(InboxSettings(title: title)))
                }
                await inbox.close()
                #expect(await settings.next() == nil)
            }
        }
    }

    @Test func `surface settings are readable offline`() async throws {
        try await withFolder { folder in
            try await withServer { server in
                _ = try await server.rest("PUT", "/v1/surfaces/inbox", ["layout": "horizontal", "deviceLimit": "all"])
                let inbox = try await inbox(server, in: folder, isLive: false)
                try await inbox.sync()
                try await server.stop()
                let settings = try await inbox.settings(surface: "inbox")
                #expect(settings == InboxSettings(layout: .horizontal, deviceLimit: .all))
                await inbox.close()
            }
        }
    }

    @Test func `deleted settings are removed from a live device and from one that was offline`() async throws {
        try await withServer { server in
            try await withFolder { folder in
                try await withFolder { other in
                    let (inbox, away) = (
                        try await inbox(server, in: folder), try await inbox(server, in: other, isLive: false)
                    )
                    var settings = inbox.observeSettings(surface: "inbox").makeAsyncIterator()
                    #expect(await settings.next() == .success(nil))
                    #expect(try await eventually { inbox.connectionState == .live })
                    _ = try await server.rest("PUT", "/v1/surfaces/inbox", ["title": "One"])
                    #expect(await settings.next() == .success(InboxSettings(title: "One")))
                    try await away.sync()
                    #expect(try await away.settings(surface: "inbox")?.title == "One")

                    _ = try await server.rest("DELETE", "/v1/surfaces/inbox")
                    #expect(await settings.next() == .success(nil))
                    try await away.sync()
                    #expect(try await away.settings(surface: "inbox") == nil)
                    _ = try await server.rest("PUT", "/v1/surfaces/inbox", ["title": "Two"])
                    #expect(await settings.next() == .success(InboxSettings(title: "Two")))
                    await inbox.close()
                    await away.close()
                }
            }
        }
    }

    @Test func `the settings of each surface that REST accepts reach a synced device`() async throws {
        try await withServer { server in
            try await withFolder { folder in
                let inbox = try await inbox(server, in: folder, isLive: false)
                try await inbox.sync()
                let names = ["a.b", "a b", "ü", "x/y", "#a", "%", "\"", String(repeating: "n", count: 256)]
                for title in ["First", "Second"] {
                    for name in names {
                        let path = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                        let set = try await server.rest("PUT", "/v1/surfaces/\(path)", ["title": .string(title)])
                        #expect(set.status == (title == "First" ? 201 : 200), "\(name)")
                    }
                    try await inbox.sync()
                    for name in names { #expect(try await inbox.settings(surface: name)?.title == title, "\(name)") }
                }
                #expect(try await server.rest("DELETE", "/v1/surfaces/a.b").status == 204)
                try await inbox.sync()
                #expect(try await inbox.settings(surface: "a.b") == nil)
                #expect(try await inbox.settings(surface: "a b")?.title == "Second")
                await inbox.close()
            }
        }
    }

    @Test func `a device that was offline receives all changes of settings at once`() async throws {
        try await withServer { server in
            try await withFolder { folder in
                let inbox = try await inbox(server, in: folder, isLive: false)
                _ = try await server.rest("PUT", "/v1/surfaces/a", ["title": "Old"])
                try await inbox.sync()
                _ = try await server.rest("PUT", "/v1/surfaces/a", ["title": "New"])
                for number in 0..<20 { _ = try await server.rest("PUT", "/v1/surfaces/s\(number)", [:]) }
                try await inbox.sync()
                #expect(try await inbox.settings(surface: "a")?.title == "New")
                #expect(try await inbox.settings(surface: "s19") == InboxSettings())
                await inbox.close()
            }
        }
    }
}
