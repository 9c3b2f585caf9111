import Foundation
import Groundwork
import JMAP
import Replica

/// The cache of mails' files on this device. Each file is in a folder of its own, under its own name.
///
/// Guarded by the actor: the downloads under way with their callers, and whether the cache is closed. A file has its
/// final name only when it is complete. Until then it is next to the folders, with the extension `part`.
actor FileCache {
    typealias Listener = @Sendable (Mail.FileProgress) -> Void

    nonisolated let folder: URL
    private let budget: Int
    private let connection: ServerConnection
    private let account: @Sendable () async throws -> String
    private let clock: any WallClock
    private var downloads: [String: Download] = [:]
    private var lastNumber = 0
    private var isClosed = false

    /// A download under way and its listeners. It is cancelled when no caller is left.
    private struct Download {
        let number: Int
        let task: Task<Void, Never>
        // Guarded by its lock: callers come and go, and the download's task notifies them.
        let listeners: Locked<[Int: Listener]>
        var callers: [Int: CheckedContinuation<URL, any Error>] = [:]
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

    /// Returns the URL of a complete file; nil if it isn't on the device.
    nonisolated func stored(_ file: MailFile) -> URL? {
        let location = location(file)
        return FileFacts(of: location) == nil ? nil : location
    }

    /// Returns the URL of a file, once it is on the device.
    ///
    /// A cancelled caller stops waiting. The download ends when no caller is left, and the received part is kept.
    func file(_ file: MailFile, _ progress: Listener?) async throws -> URL {
        if let location = stored(file) {
            // Marks the file as used, so that others are deleted first.
            try? FileManager.default.setAttributes([.modificationDate: clock.now], ofItemAtPath: location.path)
            return location
        }
        guard !isClosed else { throw StoreError.closed }
        let key = Self.key(file)
        let caller = nextNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                var download = joinable(key) ?? begin(file, key)
                if let progress { download.listeners.withLock { $0[caller] = progress } }
                download.callers[caller] = continuation
                downloads[key] = download
            }
        } onCancel: {
            Task { await self.removeCaller(key, caller) }
        }
    }

    private func joinable(_ key: String) -> Download? {
        downloads[key].flatMap { $0.callers.isEmpty ? nil : $0 }
    }

    private func begin(_ file: MailFile, _ key: String) -> Download {
        let number = nextNumber()
        let listeners = Locked<[Int: Listener]>([:])
        // A cancelled download may still write to the same file.
        let before = downloads[key]?.task
        let task = Task {
            await before?.value
            let result: Result<URL, any Error>
            do {
                result = .success(
                    try await fetch(file) { progress in
                        for listener in listeners.withLock({ $0 }).values { listener(progress) }
                    }
                )
            } catch {
                result = .failure(error)
            }
            end(key, number, result)
        }
        return Download(number: number, task: task, listeners: listeners)
    }

    private func removeCaller(_ key: String, _ caller: Int) {
        guard let continuation = downloads[key]?.callers.removeValue(forKey: caller) else { return }
        _ = downloads[key]?.listeners.withLock { $0.removeValue(forKey: caller) }
        if downloads[key]?.callers.isEmpty ?? false { downloads[key]?.task.cancel() }
        continuation.resume(throwing: CancellationError())
    }

    private func end(_ key: String, _ number: Int, _ result: Result<URL, any Error>) {
        guard let download = downloads[key], download.number == number else { return }
        downloads[key] = nil
        let wasClosed = if case .failure(is CancellationError) = result { isClosed } else { false }
        for caller in download.callers.values {
            caller.resume(with: wasClosed ? .failure(StoreError.closed) : result)
        }
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Cancels all downloads and rejects new ones. The received parts are kept.
    func close() async {
        isClosed = true
        let tasks = downloads.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Deletes all files.
    nonisolated func deleteAll() throws { try Self.deleteAll(in: folder) }

    /// Deletes all files of a store that isn't open.
    static func deleteAll(in folder: URL) throws {
        if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    }

    /// Downloads a file.
    ///
    /// The file is complete when it has the size that the response announces. That is nearly always the size that the
    /// mail states; for a file whose encoding differs from the stated one, a server may send more or fewer bytes than
    /// it has counted. Without a declared size, the mail's is used.
    private func fetch(
        _ file: MailFile,
        _ progress: @escaping Listener
    ) async throws -> URL {
        let location = location(file)
        let part = folder.appendingPathComponent("\(Self.key(file)).part")
        try FileManager.default.createDirectory(
            at: location.deletingLastPathComponent(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let response = try await request(file, after: part)
        if response.start == 0 {
            guard
                FileManager.default.createFile(atPath: part.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
        }
        let handle = try FileHandle(forWritingTo: part)
        defer { try? handle.close() }
        try handle.seekToEnd()
        guard try await receive(response, into: handle, progress) == response.total else {
            // The next attempt starts from the beginning.
            try? FileManager.default.removeItem(at: part)
            throw SyncError.malformed("the file is smaller than declared")
        }
        // Synced before the file is renamed, so that a file with its final name is complete even after a power failure.
        try handle.synchronize()
        // An earlier file is replaced in one step.
        guard rename(part.path, location.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        evictLeastRecentlyUsed(except: location)
        return location
    }

    /// The response to a request for a file.
    private struct FileResponse {
        let stream: TransportStream
        /// The number of bytes on the device that it continues.
        let start: Int
        /// The size of the file, in bytes.
        let total: Int
    }

    /// Requests the bytes of a file that its part on the device lacks.
    private func request(_ file: MailFile, after part: URL) async throws -> FileResponse {
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
        // A server without ranges sends the whole file again.
        let start = stream.status == 206 ? before : 0
        let total = Self.declaredSize(stream).map { start + $0 } ?? file.size
        return FileResponse(stream: stream, start: start, total: total)
    }

    /// Writes the bytes that arrive.
    ///
    /// - Returns: The number of bytes on the device.
    private func receive(
        _ response: FileResponse,
        into handle: FileHandle,
        _ progress: @escaping Listener
    ) async throws -> Int {
        let total = response.total
        let received = Locked(response.start)
        progress(Mail.FileProgress(received: response.start, total: total))
        try await response.stream.forEachPiece(idle: 60, clock: clock) { piece in
            let now = received.withLock { received in
                received += piece.count
                return received
            }
            guard now <= total else { throw SyncError.malformed("the file is larger than declared") }
            try handle.write(contentsOf: piece)
            progress(Mail.FileProgress(received: now, total: total))
        }
        return received.withLock { $0 }
    }

    /// The number of bytes that a response announces; nil if it announces none or is compressed.
    private static func declaredSize(_ answer: TransportStream) -> Int? {
        guard ["", "identity"].contains(answer.headers["content-encoding"]?.lowercased() ?? "") else { return nil }
        return answer.headers["content-length"].flatMap { Int($0) }.map(MailFile.bounded)
    }

    private static func key(_ file: MailFile) -> String {
        StoreLocation.digest(of: "\(file.blobID)\u{0}\(file.name ?? "")")
    }

    /// The location of a file. Its folder's name is a digest, so that no name from a mail can lead elsewhere.
    private nonisolated func location(_ file: MailFile) -> URL {
        folder.appendingPathComponent(Self.key(file), isDirectory: true)
            .appendingPathComponent(file.name ?? "file", isDirectory: false)
    }

    /// Deletes the least recently used files beyond the budget, including the parts of abandoned downloads.
    private func evictLeastRecentlyUsed(except kept: URL) {
        let entries = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        var found: [(entry: URL, size: Int, used: Date)] = []
        for entry in entries where entry.lastPathComponent != kept.deletingLastPathComponent().lastPathComponent {
            // Downloads under way are kept; the folder of one may contain an older file.
            if downloads[entry.deletingPathExtension().lastPathComponent] != nil { continue }
            var files = [entry]
            if entry.pathExtension != "part" {
                files = (try? FileManager.default.contentsOfDirectory(at: entry, includingPropertiesForKeys: nil)) ?? []
            }
            for file in files {
                let used = try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
                found.append((entry, FileFacts(of: file)?.size ?? 0, used ?? .distantPast))
            }
        }
        var size = found.map(\.size).reduce(FileFacts(of: kept)?.size ?? 0, +)
        for (entry, bytes, _) in found.sorted(by: { $0.used < $1.used }) where size > budget {
            try? FileManager.default.removeItem(at: entry)
            size -= bytes
        }
    }
}
