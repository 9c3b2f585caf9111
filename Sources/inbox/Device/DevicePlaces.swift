import Foundation

/// Where a device is kept when no `--directory` is given.
///
/// `INBOX_DIRECTORY` before all. Else on Linux by the XDG Base Directory Specification (`XDG_DATA_HOME`, or
/// `$HOME/.local/share`): a device is data as a whole, its login too. On macOS where Apple keeps it:
/// `~/Library/Application Support`.
struct DevicePlaces: Equatable {
    /// Where a device belongs.
    let directory: URL
    /// Where earlier versions kept it, which didn't look at `HOME`; nil where that is the same.
    let earlier: URL?

    /// - Parameter account: The home directory that the system's list of accounts has.
    init(
        environment: [String: String],
        account: URL = FileManager.default.homeDirectoryForCurrentUser
    ) {
        if let path = environment["INBOX_DIRECTORY"], !path.isEmpty {
            (directory, earlier) = (URL(fileURLWithPath: path, isDirectory: true), nil)
            return
        }
        #if os(macOS)
            directory = account.appendingPathComponent("Library/Application Support/swift-inbox", isDirectory: true)
            earlier = nil
        #else
            // By the specification, a path that isn't absolute is to be ignored.
            if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
                let data = URL(fileURLWithPath: data, isDirectory: true)
                (directory, earlier) = (data.appendingPathComponent("swift-inbox", isDirectory: true), nil)
                return
            }
            let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            directory = Self.data(in: home.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? account)
            let before = Self.data(in: account)
            earlier = before.standardizedFileURL.path == directory.standardizedFileURL.path ? nil : before
        #endif
    }

    #if !os(macOS)
        private static func data(in home: URL) -> URL {
            home.appendingPathComponent(".local/share/swift-inbox", isDirectory: true)
        }
    #endif

    /// The place of the device that there is: the earlier one, where there is none where it belongs.
    var current: URL {
        guard let earlier, !Self.hasDevice(directory), Self.hasDevice(earlier) else { return directory }
        return earlier
    }

    /// The place of the device that a login makes: the earlier one only where the login is the same person's again.
    ///
    /// - Parameter isSame: Whether a place has a login of that person already.
    func place(ofLogin isSame: (URL) -> Bool) -> URL {
        let current = current
        return current == earlier && !isSame(current) ? directory : current
    }

    private static func hasDevice(_ directory: URL) -> Bool {
        Device.loginFiles.contains { name in
            FileManager.default.fileExists(atPath: directory.appendingPathComponent(name, isDirectory: false).path)
        }
    }
}
