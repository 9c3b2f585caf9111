public import Foundation
import Groundwork
import InboxClient
import JMAP
import Replica

extension Mail {
    /// How much of a file is there.
    public struct FileProgress: Hashable, Sendable {
        /// In bytes.
        public let received: Int
        /// In bytes; what the mail says.
        public let total: Int
    }

    /// A file on this device: as it is here, else from the server, after which it stays here within the budget.
    ///
    /// One that is broken off goes on where it was, where the server can do that. Calls for the same file share one download.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - progress: Called as bytes arrive, not on the caller's thread.
    /// - Returns: Where it is. It may go when the budget is full (``MailConfiguration/fileBudget``): copy it to keep it.
    /// - Throws: `InboxError`: `notConnected`, `timedOut` and others where the server can't be asked, `invalidAnswer` where it sends less
    ///   or more than the mail says, `storage`, `diskFull`, `closed`.
    @concurrent
    public func download(
        _ file: MailFile,
        progress: (@Sendable (FileProgress) -> Void)? = nil
    ) async throws -> URL {
        guard !store.isClosed else { throw InboxError.wrapping(StoreError.closed) }
        do {
            return try await files.file(file, progress)
        } catch let error as CocoaError {
            let isFull = error.code == .fileWriteOutOfSpace
            throw InboxError(isFull ? .diskFull : .storage, "The file can't be kept: \(error.localizedDescription)")
        } catch let error as TransportError {
            throw InboxError.wrapping(SyncError.transport(error))
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// Where a file is on this device; nil where it would have to be downloaded.
    public func storedFile(_ file: MailFile) -> URL? { files.stored(file) }
}

/// The files of mails on this device: each in a folder of its own, under its own name.
///
/// Guarded by the actor: the downloads under way, and whether more are taken. Files are complete once they have their name; until then they
/// stand beside the folders, with the extension `part`.
actor FileCache {
    nonisolated let folder: URL
    private let budget: Int
    private let connection: ServerConnection
    private let account: @Sendable () async throws -> String
    private let clock: any WallClock
    private var running: [String: Running] = [:]
    private var isClosed = false

    private struct Running {
        let task: Task<URL, any Error>
        let listeners: Locked<[@Sendable (Mail.FileProgress) -> Void]>
    }

    init(
        folder: URL,
        budget: Int,
        connection: ServerConnection,
        clock: any WallClock,
        account: @escaping @Sendable () async throws -> String
    ) {
        (self.folder, self.budget, self.connection) = (folder, budget, connection)
        (self.clock, self.account) = (clock, account)
    }

    /// Where a file is, complete.
    nonisolated func stored(_ file: MailFile) -> URL? {
        let place = place(file)
        return FileFacts(of: place)?.size == file.size ? place : nil
    }

    func file(_ file: MailFile, _ progress: (@Sendable (Mail.FileProgress) -> Void)?) async throws -> URL {
        if let place = stored(file) {
            // Used now: others go before it.
            try? FileManager.default.setAttributes([.modificationDate: clock.now], ofItemAtPath: place.path)
            return place
        }
        let run: Running
        guard !isClosed else { throw StoreError.closed }
        let key = Self.key(file)
        if let running = running[key] {
            run = running
        } else {
            let listeners = Locked<[@Sendable (Mail.FileProgress) -> Void]>([])
            let task = Task {
                defer { self.running[key] = nil }
                return try await self.fetch(file) { progress in
                    for listener in listeners.withLock({ $0 }) { listener(progress) }
                }
            }
            run = Running(task: task, listeners: listeners)
            running[key] = run
        }
        if let progress { run.listeners.withLock { $0.append(progress) } }
        return try await run.task.value
    }

    /// Ends the downloads under way, and takes no more. What has come stays.
    func close() async {
        isClosed = true
        let tasks = running.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }

    /// Deletes all files.
    nonisolated func deleteAll() throws {
        if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    }

    private func fetch(
        _ file: MailFile,
        _ progress: @escaping @Sendable (Mail.FileProgress) -> Void
    ) async throws -> URL {
        let place = place(file)
        let part = folder.appendingPathComponent("\(Self.key(file)).part")
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        var before = FileFacts(of: part)?.size ?? 0
        if before >= file.size { before = 0 }
        let session = try await connection.currentSession()
        guard
            let url = session.downloadURL(
                account: try await account(),
                blob: file.blobID,
                type: file.type,
                name: file.name ?? "file"
            )
        else { throw SyncError.malformed("downloadUrl isn't a URL") }
        let stream: TransportStream
        do {
            stream = try await connection.download(url, from: before)
        } catch SyncError.status(416, _, _) where before > 0 {
            before = 0
            stream = try await connection.download(url, from: 0)
        }
        // A server that doesn't know ranges sends all of it anew.
        let start = stream.status == 206 ? before : 0
        if start == 0 {
            guard
                FileManager.default.createFile(atPath: part.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
        }
        let handle = try FileHandle(forWritingTo: part)
        defer { try? handle.close() }
        try handle.seekToEnd()
        let received = Locked(start)
        progress(Mail.FileProgress(received: start, total: file.size))
        try await stream.forEachPiece(idle: 60, clock: clock) { piece in
            let now = received.withLock { received in
                received += piece.count
                return received
            }
            guard now <= file.size else { throw SyncError.malformed("the file is larger than the mail says") }
            try handle.write(contentsOf: piece)
            progress(Mail.FileProgress(received: now, total: file.size))
        }
        guard received.withLock({ $0 }) == file.size else {
            // The next try begins anew.
            try? FileManager.default.removeItem(at: part)
            throw SyncError.malformed("the file is smaller than the mail says")
        }
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.moveItem(at: part, to: place)
        dropOldest(but: place)
        return place
    }

    private static func key(_ file: MailFile) -> String {
        StoreLocation.digest(of: "\(file.blobID)\u{0}\(file.name ?? "")")
    }

    /// The place of a file: its folder is named by what it is, so that no name from outside can lead elsewhere.
    private nonisolated func place(_ file: MailFile) -> URL {
        folder.appendingPathComponent(Self.key(file), isDirectory: true)
            .appendingPathComponent(file.name ?? "file", isDirectory: false)
    }

    /// Drops what wasn't used for longest, where there is more than the budget.
    private func dropOldest(but kept: URL) {
        let folders = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        var found: [(folder: URL, size: Int, used: Date)] = []
        for folder in folders where folder.lastPathComponent != kept.deletingLastPathComponent().lastPathComponent {
            for file in (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
                ?? []
            {
                let used = try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
                found.append((folder, FileFacts(of: file)?.size ?? 0, used ?? .distantPast))
            }
        }
        var size = found.map(\.size).reduce(FileFacts(of: kept)?.size ?? 0, +)
        for (folder, bytes, _) in found.sorted(by: { $0.used < $1.used }) where size > budget {
            try? FileManager.default.removeItem(at: folder)
            size -= bytes
        }
    }
}
