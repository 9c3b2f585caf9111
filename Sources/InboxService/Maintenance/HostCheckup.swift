import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The checkup of a database's files and of the machine.
struct HostCheckup {
    let database: URL
    /// The maximum number of connections of a server that is started in this environment.
    let connectionLimit: Int

    /// The size of the write-ahead log above which a long reader probably prevents its checkpoint, in bytes.
    private static let walSizeThreshold = 256 * 1_048_576
    /// The free space below which the disk counts as full, in bytes.
    private static let lowDiskSpace = 256 * 1_048_576

    var findings: [DatabaseCheckup.Finding] { [size, log, space, permissions, connections] }

    private var size: DatabaseCheckup.Finding { .init("Size", Self.text(Self.size(database.path))) }

    private var log: DatabaseCheckup.Finding {
        let bytes = Self.size(database.path + "-wal")
        return .init(
            "Log",
            Self.text(bytes),
            bytes > Self.walSizeThreshold ? .notice : .good,
            """
            It can't be checkpointed while a backup or another long-running reader is active. Stop long-running \
            readers.
            """
        )
    }

    private var space: DatabaseCheckup.Finding {
        var info = statvfs()
        guard statvfs(database.deletingLastPathComponent().path, &info) == 0 else {
            return .init("Disk", "unknown", .notice, "The folder can't be accessed.")
        }
        let free = Int(clamping: info.f_bavail) * Int(clamping: info.f_frsize)
        let text = "\(Self.text(free)) free"
        if free < Self.lowDiskSpace {
            return .init("Disk", text, .trouble, "Free some space: sends fail on a full disk.")
        }
        let isTight = free < Self.size(database.path)
        return .init("Disk", text, isTight ? .notice : .good, "There isn't enough space for a backup on the same disk.")
    }

    private var permissions: DatabaseCheckup.Finding {
        let attributes = try? FileManager.default.attributesOfItem(atPath: database.path)
        let mode = attributes?[.posixPermissions] as? Int ?? 0
        return .init(
            "Permissions",
            String(mode, radix: 8),
            mode & 0o077 == 0 ? .good : .notice,
            "Other users of this machine may be able to read people's messages: chmod 600 \(database.path)"
        )
    }

    private var connections: DatabaseCheckup.Finding {
        .init(
            "Connections",
            "up to \(connectionLimit) for a server started in this environment",
            connectionLimit < 1_024 ? .notice : .good,
            "Raise the limit of open files: ulimit -n, or LimitNOFILE= in systemd."
        )
    }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    static func text(_ bytes: Int) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        let unit = units.indices.last { bytes >> (10 * $0) > 0 } ?? 0
        guard unit > 0 else { return "\(bytes) bytes" }
        return "\((Double(bytes) / Double(1 << (10 * unit)) * 10).rounded() / 10) \(units[unit])"
    }
}
