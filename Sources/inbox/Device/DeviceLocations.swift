import Foundation

/// The location of a device without `--directory`.
///
/// `INBOX_DIRECTORY` takes precedence. On Linux, the location follows the XDG Base Directory Specification
/// (`XDG_DATA_HOME`, or `$HOME/.local/share`): a device is data as a whole, including its login. On macOS it is
/// `~/Library/Application Support`, as Apple specifies.
struct DeviceLocations: Equatable {
    /// The standard location.
    let directory: URL
    /// The location in earlier versions, which ignored `HOME`. Nil if it is the same.
    let legacyDirectory: URL?

    /// - Parameter account: The home directory in the system's user database.
    init(
        environment: [String: String],
        account: URL = FileManager.default.homeDirectoryForCurrentUser
    ) {
        if let path = environment["INBOX_DIRECTORY"], !path.isEmpty {
            (directory, legacyDirectory) = (URL(fileURLWithPath: path, isDirectory: true), nil)
            return
        }
        #if os(macOS)
            directory = account.appendingPathComponent("Library/Application Support/swift-inbox", isDirectory: true)
            legacyDirectory = nil
        #else
            // The specification requires that a path that isn't absolute is ignored.
            if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
                let data = URL(fileURLWithPath: data, isDirectory: true)
                (directory, legacyDirectory) = (data.appendingPathComponent("swift-inbox", isDirectory: true), nil)
                return
            }
            let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            directory = Self.data(in: home.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? account)
            let before = Self.data(in: account)
            legacyDirectory = before.standardizedFileURL.path == directory.standardizedFileURL.path ? nil : before
        #endif
    }

    #if !os(macOS)
        private static func data(in home: URL) -> URL {
            home.appendingPathComponent(".local/share/swift-inbox", isDirectory: true)
        }
    #endif

    /// The location of the existing device: the earlier one if only that has a device.
    var current: URL {
        guard let legacyDirectory, !Self.hasDevice(directory), Self.hasDevice(legacyDirectory) else { return directory }
        return legacyDirectory
    }

    /// Returns the location of the device for a login: the earlier one only if it has a login of the same person.
    ///
    /// - Parameter isSame: Whether a location already has a login of the person.
    func location(forLogin isSame: (URL) -> Bool) -> URL {
        let current = current
        return current == legacyDirectory && !isSame(current) ? directory : current
    }

    private static func hasDevice(_ directory: URL) -> Bool {
        Device.loginFiles.contains { name in
            FileManager.default.fileExists(atPath: directory.appendingPathComponent(name, isDirectory: false).path)
        }
    }
}
