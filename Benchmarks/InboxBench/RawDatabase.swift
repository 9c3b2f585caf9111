import Foundation
import RawCounterpart

/// A database that is accessed from C.
final class RawDatabase {
    private let handle: OpaquePointer

    init(_ file: URL) throws {
        guard let handle = raw_open(file.path) else { throw BenchmarkError("C can't open \(file.lastPathComponent)") }
        self.handle = handle
    }

    deinit { raw_close(handle) }

    /// Moves the write-ahead log of a closed database into its file, so that the file can be copied alone.
    static func checkpoint(_ file: URL) throws {
        try RawDatabase(file).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Keeps the write-ahead log when the database is closed, as the client does.
    func keepLog() { raw_keep_log(handle) }

    func execute(_ sql: String) throws {
        try check(raw_execute(handle, sql))
    }

    /// Runs a statement with one text argument.
    func execute(_ sql: String, text: [UInt8]) throws {
        let code = text.withUnsafeBytes { bytes in
            raw_execute_text(handle, sql, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        try check(code)
    }

    func integer(_ sql: String) -> Int { Int(raw_integer(handle, sql)) }

    /// Runs a recorded statement and copies its rows.
    ///
    /// - Returns: The number of rows.
    func read(_ recording: Recording, _ item: Int) throws -> Int {
        var rows = 0
        try check(raw_read(handle, recording.handle, item, &rows))
        return rows
    }

    /// Runs the recorded transactions of a range.
    func replay(_ recording: Recording, _ transactions: Range<Int>) throws {
        try check(raw_replay(handle, recording.handle, transactions.lowerBound, transactions.count))
    }

    /// Sends messages in the way that the server stores them.
    func send(groups: Int, of size: Int) throws {
        try check(raw_send(handle, groups, size))
    }

    /// Sends one message to people whose ids are a prefix and a number.
    func send(toMany count: Int, named prefix: String) throws {
        try check(raw_send_many(handle, prefix, count))
    }

    private func check(_ code: Int32) throws {
        if code != 0 { throw BenchmarkError("C, SQLite \(code): \(String(cString: raw_problem(handle)))") }
    }
}

/// The SQLite statements that our code ran, in order, with their values.
final class Recording {
    fileprivate let handle: OpaquePointer

    private init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { raw_recording_free(handle) }

    /// Opens an object, and records the statements of one use of it.
    ///
    /// Only connections that are opened here are traced, so that later measurements aren't slowed down.
    static func of<Subject>(
        opening: () async throws -> Subject,
        use: (Subject) async throws -> Void
    ) async throws -> Recording {
        guard let handle = raw_recording_new() else { throw BenchmarkError("out of memory") }
        let recording = Recording(handle)
        guard raw_watch() == 0 else { throw BenchmarkError("this SQLite's connections can't be traced") }
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
