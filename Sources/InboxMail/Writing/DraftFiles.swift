import Foundation
import Groundwork
import Replica

/// The files of drafts on this device: copies, so that the originals may change or go. A file is removed with its
/// draft, or when the person removes it from the draft.
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
    /// - Returns: The digest and the size of the copy.
    /// - Throws: `MailError` `invalidArgument` if it changes meanwhile, or if it is a folder, a pipe or a device; the
    ///   error of reading or writing.
    func copy(_ original: URL, as file: String, of draft: String) throws -> (digest: String, size: Int) {
        // A copied link would change, and go, with the file that it leads to.
        let original = original.resolvingSymlinksInPath()
        let type = try FileManager.default.attributesOfItem(atPath: original.path)[.type] as? FileAttributeType
        guard type == .typeRegular else {
            throw MailError(.invalidArgument, "\(original.lastPathComponent) isn't a file that can be attached.")
        }
        let target = location(file, of: draft)
        try prepare(draft)
        return try withPart(of: target) { part in
            try FileManager.default.copyItem(at: original, to: part)
            let copied = try FileDigest.read(part)
            guard try FileDigest.read(original).digest == copied.digest else {
                throw MailError(.invalidArgument, "The file \(original.lastPathComponent) changed while it was copied.")
            }
            try finish(part, target)
            return copied
        }
    }

    /// Writes bytes into a draft, durably.
    func write(_ bytes: Data, as file: String, of draft: String) throws -> (digest: String, size: Int) {
        let target = location(file, of: draft)
        try prepare(draft)
        try withPart(of: target) { part in
            try bytes.write(to: part)
            try finish(part, target)
        }
        return (FileDigest.of(bytes), bytes.count)
    }

    /// Runs a body with the location of an unfinished file, which is removed if the body fails, such as on a full disk.
    private func withPart<T>(of target: URL, _ body: (URL) throws -> T) throws -> T {
        let part = target.appendingPathExtension("part")
        try? FileManager.default.removeItem(at: part)
        do {
            return try body(part)
        } catch {
            try? FileManager.default.removeItem(at: part)
            throw error
        }
    }

    /// Returns the bytes of a file.
    ///
    /// - Throws: ``Changed`` if they aren't those that were copied; the error of reading.
    func read(_ file: DraftText.File, of draft: String) throws -> Data {
        // Not read as a whole: an upload copies it once.
        let bytes = try Data(contentsOf: location(file.id, of: draft), options: .alwaysMapped)
        guard FileDigest.of(bytes) == file.digest else { throw Changed() }
        return bytes
    }

    /// The bytes of a file aren't those that were copied.
    struct Changed: Error {}

    /// Shares files of a draft with another draft. One that is missing is reported when it is uploaded.
    ///
    /// - Throws: The error of writing.
    func copy(_ files: Set<String>, of draft: String, to other: String) throws {
        for file in files {
            let (original, target) = (location(file, of: draft), location(file, of: other))
            guard FileManager.default.fileExists(atPath: original.path) else { continue }
            try prepare(other)
            do {
                // Another name of the same bytes, which takes no space: no file of a draft is ever changed.
                try FileManager.default.linkItem(at: original, to: target)
                try PrivateFile.syncFolder(target.deletingLastPathComponent())
            } catch {
                // Not every file system has links.
                try withPart(of: target) { part in
                    try FileManager.default.copyItem(at: original, to: part)
                    try finish(part, target)
                }
            }
        }
    }

    /// Removes files of a draft. Others stay, such as one that a window is adding.
    func remove(_ files: Set<String>, of draft: String) {
        for file in files { try? FileManager.default.removeItem(at: location(file, of: draft)) }
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
        let own = folder.appendingPathComponent(draft, isDirectory: true)
        guard !FileManager.default.fileExists(atPath: own.path) else { return }
        try FileManager.default.createDirectory(
            at: own,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try PrivateFile.syncFolder(folder)
        try PrivateFile.syncFolder(folder.deletingLastPathComponent())
    }

    /// Makes a written file and its name durable.
    private func finish(_ part: URL, _ target: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: part.path)
        let handle = try FileHandle(forUpdating: part)
        defer { try? handle.close() }
        try handle.synchronize()
        guard rename(part.path, target.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        try PrivateFile.syncFolder(target.deletingLastPathComponent())
    }
}
