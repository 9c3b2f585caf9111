import Foundation
import Groundwork
import Testing

@testable import inbox

/// The folders of the tool's devices.
@Suite(.timeLimit(.minutes(10))) struct DeviceLocationsTests {
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
            for (environment, directory, legacyDirectory) in cases {
                let locations = DeviceLocations(environment: environment, account: account)
                #expect(locations.directory.standardizedFileURL.path == directory, "\(environment)")
                #expect(locations.legacyDirectory?.standardizedFileURL.path == legacyDirectory, "\(environment)")
            }
        }

        @Test func `a device in the legacy folder is used until the new folder has one`() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "inbox-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let (home, account) = (folder.appending(path: "home"), folder.appending(path: "account"))
            let environment = ["HOME": home.path(percentEncoded: false)]
            func locations() -> DeviceLocations { DeviceLocations(environment: environment, account: account) }
            func makeDevice(_ directory: URL, _ name: String) throws {
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                try Data().write(to: directory.appending(path: name))
            }
            #expect(locations().current == locations().directory)
            let legacyDirectory = try #require(locations().legacyDirectory)
            try makeDevice(legacyDirectory, "mail.json")
            #expect(locations().current == legacyDirectory)
            #expect(locations().location { _ in true } == legacyDirectory)
            #expect(locations().location { _ in false } == locations().directory)
            try makeDevice(locations().directory, "login.json")
            #expect(locations().current == locations().directory)
            #expect(locations().location { _ in true } == locations().directory)
        }
    #else
        @Test func `on macOS the device folder is in Application Support`() {
            let environment = ["HOME": "/home", "XDG_DATA_HOME": "/data"]
            let locations = DeviceLocations(environment: environment, account: account)
            #expect(locations.directory.path == "/account/Library/Application Support/swift-inbox")
            #expect(locations.legacyDirectory == nil)
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
