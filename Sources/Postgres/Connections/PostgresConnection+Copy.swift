import CLibpq
import Foundation

extension PostgresConnection {
    /// Inserts many rows by `COPY … FROM STDIN`, in the binary format.
    ///
    /// - Parameters:
    ///   - columns: Their types have to be exactly those of the values.
    ///   - body: Appends the rows, which are sent as they come. If it throws, no row is inserted.
    /// - Returns: The number of rows.
    /// - Throws: The error of `body`, or ``PostgresError``. A transaction that is open has failed then.
    package func copy(
        into table: String,
        columns: [String],
        _ body: (PostgresCopy) throws -> Void
    ) throws -> Int {
        try pipeline([])
        var count = 0
        var failure: (any Error)?
        let names = columns.map { Self.quoted($0) }.joined(separator: ", ")
        let sql = "COPY \(Self.quoted(table)) (\(names)) FROM STDIN (FORMAT binary)"
        do throws(PostgresError) {
            try withoutPipelineMode { handle throws(PostgresError) in
                try sendText(sql, handle)
                guard let start = try nextResultOfText(handle) else { throw lost }
                let isReady = PQresultStatus(start) == PGRES_COPY_IN
                if isReady { PQclear(start) }
                guard isReady else { throw try failureOfCopy(start, handle) }
                let copy = PostgresCopy(self, handle, columns: columns.count)
                do {
                    try body(copy)
                    try copy.finish()
                } catch {
                    failure = error
                }
                guard isUsable else { return }
                count = try endCopy(hasFailed: failure != nil, handle)
            }
        } catch {
            throw failure ?? error
        }
        if let failure { throw failure }
        return count
    }

    private func endCopy(hasFailed: Bool, _ handle: OpaquePointer) throws(PostgresError) -> Int {
        while true {
            switch PQputCopyEnd(handle, hasFailed ? "the sender has stopped" : nil) {
            case 1: break
            case 0:
                try waitForText(POLLIN | POLLOUT, handle)
                continue
            default: throw lost
            }
            break
        }
        try flushText(handle)
        guard let end = try nextResultOfText(handle) else { throw lost }
        guard PQresultStatus(end) == PGRES_COMMAND_OK else { throw try failureOfCopy(end, handle) }
        let count = PostgresResult(end).affectedRows
        while let more = try nextResultOfText(handle) { PQclear(more) }
        return count
    }

    /// Returns the error of a result, after the results behind it were read.
    private func failureOfCopy(_ pointer: OpaquePointer, _ handle: OpaquePointer) throws(PostgresError)
        -> PostgresError
    {
        let error = PostgresError(pointer)
        PQclear(pointer)
        while let more = try nextResultOfText(handle) { PQclear(more) }
        return error
    }

    /// Returns a name as SQL has it, whatever characters are in it.
    package static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }
}

/// The rows of a `COPY`.
package final class PostgresCopy {
    private let connection: PostgresConnection
    private let handle: OpaquePointer
    private let columns: Int
    private var buffer: [UInt8]

    /// The bytes that are sent at once.
    private static let size = 65_536

    fileprivate init(_ connection: PostgresConnection, _ handle: OpaquePointer, columns: Int) {
        self.connection = connection
        self.handle = handle
        self.columns = columns
        // The signature, no flags, no extension (PostgreSQL, COPY, "Binary Format").
        buffer = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        buffer.reserveCapacity(Self.size * 2)
    }

    /// Appends a row.
    ///
    /// - Throws: ``PostgresError`` if a value can't be stored, their number isn't that of the columns, or the
    ///   connection was lost.
    package func append(_ values: [any PostgresEncodable]) throws(PostgresError) {
        guard values.count == columns else {
            throw PostgresError(.invalidValue, "\(values.count) values for \(columns) columns")
        }
        let start = buffer.count
        do throws(PostgresError) {
            buffer.append(bigEndian: Int16(values.count))
            for value in values {
                let place = buffer.count
                buffer.append(bigEndian: Int32(0))
                let hasValue = try value.encode(into: &buffer)
                try PostgresError.checkSize(buffer.count - place)
                buffer.setLength(at: place, isNull: !hasValue)
            }
        } catch {
            // Nothing of the row is left: the caller may continue with the next one.
            buffer.removeSubrange(start...)
            throw error
        }
        if buffer.count >= Self.size { try send() }
    }

    fileprivate func finish() throws(PostgresError) {
        buffer.append(bigEndian: Int16(-1))
        try send()
    }

    private func send() throws(PostgresError) {
        while true {
            let code = buffer.withUnsafeBytes { bytes in
                PQputCopyData(
                    handle,
                    bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(bytes.count)
                )
            }
            switch code {
            case 1:
                buffer.removeAll(keepingCapacity: true)
                // Not more in memory than one buffer.
                return try connection.flushText(handle)
            case 0: try connection.waitForText(POLLIN | POLLOUT, handle)
            default: throw connection.lost
            }
        }
    }
}
