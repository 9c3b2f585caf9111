import Foundation
import Replica

/// The files of drafts on this device: copies, so that the originals may change or go. Nothing but the end of their
/// draft removes them.
struct DraftFiles: Sendable {
    /// The folder of all drafts. Each has a folder of its own in it.
    let folder: URL

    init(_ location: StoreLocation) {
        folder = location.deviceFiles.appendingPathComponent("drafts", isDirectory: true)
    }

    /// Returns the location of a file. Both ids are made by this package.
    func location(_ file: String, of draft: String) -> URL {
        folder.appendingPathComponent(draft, isDirectory: true).appendingPathComponent(file, isDirectory: false)
    }

    /// Copies a file into a draft, durably.
    ///
    /// - Returns: The digest and the size of what was copied.
    /// - Throws: `MailError` `invalidArgument` if it changes meanwhile; the error of reading or writing.
    func copy(_ original: URL, as file: String, of draft: String) throws -> (digest: String, size: Int) {
        let target = location(file, of: draft)
        try prepare(draft)
        let part = target.appendingPathExtension("part")
        try? FileManager.default.removeItem(at: part)
        try FileManager.default.copyItem(at: original, to: part)
        let copied = try FileDigest.read(part)
        guard try FileDigest.read(original).digest == copied.digest else {
            try? FileManager.default.removeItem(at: part)
            throw MailError(.invalidArgument, "The file \(original.lastPathComponent) changed while it was copied.")
        }
        try finish(part, target)
        return copied
    }

    /// Writes bytes into a draft, durably.
    func write(_ bytes: Data, as file: String, of draft: String) throws -> (digest: String, size: Int) {
        let target = location(file, of: draft)
        try prepare(draft)
        let part = target.appendingPathExtension("part")
        try bytes.write(to: part)
        try finish(part, target)
        return (FileDigest.of(bytes), bytes.count)
    }

    /// Returns the bytes of a file.
    ///
    /// - Throws: ``Changed`` if they aren't those that were copied; the error of reading.
    func read(_ file: DraftText.File, of draft: String) throws -> Data {
        let bytes = try Data(contentsOf: location(file.id, of: draft))
        guard FileDigest.of(bytes) == file.digest else { throw Changed() }
        return bytes
    }

    /// The bytes of a file aren't those that were copied.
    struct Changed: Error {}

    /// Removes the files of a draft but those named.
    func remove(of draft: String, keeping kept: Set<String> = []) {
        let folder = folder.appendingPathComponent(draft, isDirectory: true)
        guard !kept.isEmpty else { return (try? FileManager.default.removeItem(at: folder)) ?? () }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] where !kept.contains(name)
        {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    /// The time for which files without a draft stay, in seconds: it may be about to be saved, also by another process.
    private static let retention = 86_400.0

    /// Removes the files of drafts that are gone, such as of those that weren't saved before their process ended.
    func removeOthers(than drafts: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where !drafts.contains(name) {
            let draft = folder.appendingPathComponent(name, isDirectory: true)
            let attributes = try? FileManager.default.attributesOfItem(atPath: draft.path)
            guard let changed = attributes?[.modificationDate] as? Date,
                -changed.timeIntervalSinceNow > Self.retention
            else { continue }
            try? FileManager.default.removeItem(at: draft)
        }
    }

    /// Removes all files.
    func removeAll() { try? FileManager.default.removeItem(at: folder) }

    private func prepare(_ draft: String) throws {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent(draft, isDirectory: true),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    /// Makes a written file durable, and gives it its name.
    private func finish(_ part: URL, _ target: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: part.path)
        let handle = try FileHandle(forUpdating: part)
        defer { try? handle.close() }
        try handle.synchronize()
        guard rename(part.path, target.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
