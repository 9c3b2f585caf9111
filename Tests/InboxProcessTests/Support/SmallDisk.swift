import Foundation

/// A small file system in memory, for tests of full disks.
struct SmallDisk: Sendable {
    let folder: URL
    private var ballast: URL { folder.appending(path: "ballast") }

    /// Runs a test with a disk, and unmounts it afterwards.
    ///
    /// - Parameter owner: The user who owns the disk. Nil for this process' user.
    static func with(
        at folder: URL,
        megabytes: Int,
        owner: String? = nil,
        _ body: (SmallDisk) async throws -> Void
    ) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=0700", "tmpfs", folder.path)
        let outcome: Result<Void, any Error>
        do {
            if let owner { try run("chown", "\(owner):", folder.path) }
            outcome = .success(try await body(SmallDisk(folder: folder)))
        } catch {
            outcome = .failure(error)
        }
        try run("umount", "--lazy", folder.path)
        try? FileManager.default.removeItem(at: folder)
        try outcome.get()
    }

    /// Whether this user can mount file systems, which usually only root can.
    static let isMountable: Bool = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mount-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.path)
            try run("umount", folder.path)
            return true
        } catch {
            return false
        }
    }()

    /// Fills the disk to its last byte.
    func fill() throws {
        try Data().write(to: ballast)
        let handle = try FileHandle(forWritingTo: ballast)
        defer { try? handle.close() }
        for size in [1 << 20, 65_536, 4_096, 512, 1] {
            while (try? handle.write(contentsOf: Data(count: size))) != nil {}
        }
    }

    /// Makes room again.
    func free() throws { try FileManager.default.removeItem(at: ballast) }

    static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw RunningProcess.Ended(description: "\(arguments) failed") }
    }
}
