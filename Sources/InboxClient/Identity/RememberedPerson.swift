import Foundation
import Groundwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The person who was identified when the app last ran, and those who were being signed out: a small file next to the
/// inboxes, readable by its owner only.
///
/// It is written at once, on the caller's thread. If the app ends right after another person was identified, it must
/// not start with the previous one, nor keep that person's data.
struct RememberedPerson: Sendable {
    // One at a time: an app that changes its server has two that know the file, for a while.
    private static let changing = Locked(())

    private let file: URL

    init(directory: URL) {
        file = directory.appendingPathComponent("identified.json", isDirectory: false)
    }

    /// What the file says.
    struct Memory: Hashable, Sendable {
        /// Nil if no person is identified.
        var identified: Identity?
        /// Those whose inbox is to be deleted from this device, and may still be there.
        var departing: Set<Identity> = []
    }

    /// Empty if there is no file or it can't be read.
    var memory: Memory {
        guard let bytes = try? Data(contentsOf: file), let json = try? JSON(parsing: Array(bytes)) else {
            return Memory()
        }
        return Memory(
            identified: json["identified"].flatMap(Identity.init),
            departing: Set(json["departing"]?.arrayValue?.compactMap(Identity.init) ?? [])
        )
    }

    /// Changes the file. If it can't be stored, no person is remembered.
    func change(_ change: (inout Memory) -> Void) {
        Self.changing.withLock { _ in
            var memory = memory
            change(&memory)
            do {
                if memory != Memory() { return try write(memory) }
            } catch {}
            try? FileManager.default.removeItem(at: file)
        }
    }

    /// Replaces the file as a whole. It is readable by its owner only at any time.
    private func write(_ memory: Memory) throws {
        let json: JSON = [
            "identified": memory.identified?.json ?? .null, "departing": .array(memory.departing.map(\.json)),
        ]
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let new = file.appendingPathExtension("new").path
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: json.utf8)
            // On the disk before it takes the other's place.
            try handle.synchronize()
            try handle.close()
            guard rename(new, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            unlink(new)
            throw error
        }
    }
}

extension Identity {
    fileprivate init?(_ json: JSON) {
        guard let server = json["server"]?.stringValue, let person = json["person"]?.stringValue else { return nil }
        self.init(server: server, person: person)
    }

    fileprivate var json: JSON { ["server": .string(server), "person": .string(person)] }
}
