import Foundation
import RawCounterpart

/// A database as C sees it.
final class RawDatabase {
    private let handle: OpaquePointer

    init(_ file: URL) throws {
        guard let handle = raw_open(file.path) else { throw BenchmarkError("C can't open \(file.lastPathComponent)") }
        self.handle = handle
    }

    deinit { raw_close(handle) }

    /// Moves what a closed database has beside it, in its log, into its file, so that the file is all of it.
    static func settle(_ file: URL) throws {
        try RawDatabase(file).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Leaves the log beside the file when it closes, as the client does.
    func keepLog() { raw_keep_log(handle) }

    func execute(_ sql: String) throws {
        try check(raw_execute(handle, sql))
    }

    /// Runs a statement with one text bound.
    func execute(_ sql: String, text: [UInt8]) throws {
        let code = text.withUnsafeBytes { bytes in
            raw_execute_text(handle, sql, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        try check(code)
    }

    func integer(_ sql: String) -> Int { Int(raw_integer(handle, sql)) }

    /// Runs a recorded statement, and copies what it gives.
    ///
    /// - Returns: The number of rows.
    func read(_ recording: Recording, _ item: Int) throws -> Int {
        var rows = 0
        try check(raw_read(handle, recording.handle, item, &rows))
        return rows
    }

    /// Runs recorded transactions.
    func replay(_ recording: Recording, _ transactions: Range<Int>) throws {
        try check(raw_replay(handle, recording.handle, transactions.lowerBound, transactions.count))
    }

    /// Sends messages as the server stores them.
    func send(groups: Int, of size: Int) throws {
        try check(raw_send(handle, groups, size))
    }

    /// Sends one message to people who are named by a prefix and a number.
    func send(toMany count: Int, named prefix: String) throws {
        try check(raw_send_many(handle, prefix, count))
    }

    private func check(_ code: Int32) throws {
        if code != 0 { throw BenchmarkError("C, SQLite \(code): \(String(cString: raw_problem(handle)))") }
    }
}

/// What our own code asked of SQLite, statement by statement, with the values.
final class Recording {
    fileprivate let handle: OpaquePointer

    private init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { raw_recording_free(handle) }

    /// Opens something, and takes down what one use of it runs.
    ///
    /// Only connections that were opened here are watched, so that what is measured later isn't slowed down.
    static func of<Subject>(
        opening: () async throws -> Subject,
        use: (Subject) async throws -> Void
    ) async throws -> Recording {
        guard let handle = raw_recording_new() else { throw BenchmarkError("out of memory") }
        let recording = Recording(handle)
        guard raw_watch() == 0 else { throw BenchmarkError("this SQLite's connections can't be watched") }
        defer { raw_unwatch() }
        let subject = try await opening()
        raw_record(handle)
        defer { raw_record(nil) }
        try await use(subject)
        return recording
    }

    var transactions: Int { raw_recording_transactions(handle) }

    var statements: [String] {
        (0..<raw_recording_count(handle)).map { String(cString: raw_recording_sql(handle, $0)) }
    }
}
