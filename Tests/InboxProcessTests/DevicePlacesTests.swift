import Foundation
import Groundwork
import Testing

@testable import inbox

/// The folders of the tool's devices.
@Suite(.timeLimit(.minutes(10))) struct DevicePlacesTests {
    private let account = URL(filePath: "/account", directoryHint: .isDirectory)

    #if !os(macOS)
        @Test func `on Linux the device folder follows XDG and HOME`() {
            let cases: [([String: String], String, String?)] = [
                ([:], "/account/.local/share/swift-inbox", nil),
                (["HOME": "/account"], "/account/.local/share/swift-inbox", nil),
                (["HOME": "/account/"], "/account/.local/share/swift-inbox", nil),
                (["HOME": "/home"], "/home/.local/share/swift-inbox", "/account/.local/share/swift-inbox"),
                (["HOME": "home"], "/account/.local/share/swift-inbox", nil),
                (["HOME": ""], "/account/.local/share/swift-inbox", nil),
                (["HOME": "/home", "XDG_DATA_HOME": "/data"], "/data/swift-inbox", nil),
                (
                    ["HOME": "/home", "XDG_DATA_HOME": "data"], "/home/.local/share/swift-inbox",
                    "/account/.local/share/swift-inbox"
                ),
                (["HOME": "/home", "XDG_DATA_HOME": "/data", "INBOX_DIRECTORY": "/own"], "/own", nil),
            ]
            for (environment, directory, earlier) in cases {
                let places = DevicePlaces(environment: environment, account: account)
                #expect(places.directory.standardizedFileURL.path == directory, "\(environment)")
                #expect(places.earlier?.standardizedFileURL.path == earlier, "\(environment)")
            }
        }

        @Test func `an earlier version's device is used until one exists at the new place`() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "inbox-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let (home, account) = (folder.appending(path: "home"), folder.appending(path: "account"))
            let environment = ["HOME": home.path(percentEncoded: false)]
            func places() -> DevicePlaces { DevicePlaces(environment: environment, account: account) }
            func makeDevice(_ directory: URL, _ name: String) throws {
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                try Data().write(to: directory.appending(path: name))
            }
            #expect(places().current == places().directory)
            let earlier = try #require(places().earlier)
            try makeDevice(earlier, "mail.json")
            #expect(places().current == earlier)
            #expect(places().place { _ in true } == earlier)
            #expect(places().place { _ in false } == places().directory)
            try makeDevice(places().directory, "login.json")
            #expect(places().current == places().directory)
            #expect(places().place { _ in true } == places().directory)
        }
    #else
        @Test func `on macOS the device folder is in Application Support`() {
            let environment = ["HOME": "/home", "XDG_DATA_HOME": "/data"]
            let places = DevicePlaces(environment: environment, account: account)
            #expect(places.directory.path == "/account/Library/Application Support/swift-inbox")
            #expect(places.earlier == nil)
        }
    #endif

    #if os(Linux)
        @Test func `login creates the device in HOME`() async throws {
            try await World.with { world in
                try await world.startServer()
                try await world.run(["login", "--person", "alice"])
                let login = world.folder.appending(path: ".local/share/swift-inbox/login.json")
                #expect(FileManager.default.fileExists(atPath: login.path(percentEncoded: false)))
                #expect(try await world.run(["status", "--json"]).output.contains("alice"))
            }
        }
    #endif
}
