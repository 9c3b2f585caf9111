import CLibpq
import Foundation

extension PostgresConnection {
    /// Verifies that an attempt to connect has succeeded, and names the reason if it hasn't.
    ///
    /// libpq keeps no SQLSTATE of a refused attempt, and a server writes its texts in its own language
    /// (`lc_messages`). So one that a server has refused in unknown words is repeated once, with the SQLSTATE as its
    /// text.
    ///
    /// - Throws: ``PostgresError`` of the kind `unavailable` or `rejected`.
    func requireOpen(_ handle: OpaquePointer) throws(PostgresError) {
        guard PQstatus(handle) != CONNECTION_OK else { return }
        let lines = Self.errorLines(handle)
        let text = lines.joined(separator: "; ")
        var isRejected = ["authentication", "does not exist", "no pg_hba.conf entry", "no password supplied"]
            .contains { text.contains($0) }
        var state: String?
        if !isRejected, lines.contains(where: { $0.contains(Self.severityEnd) }) {
            let verbosity = PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
            PQreset(handle)
            _ = PQsetErrorVerbosity(handle, verbosity)
            // The server may accept it by now.
            if PQstatus(handle) == CONNECTION_OK { return }
            state = Self.errorLines(handle).compactMap(Self.sqlState(in:)).last
            isRejected = PostgresError.kind(of: state) == .rejected
        }
        var error = PostgresError(
            isRejected ? .rejected : .unavailable,
            text.isEmpty ? "no connection" : text,
            sqlState: state
        )
        error.isOfConnecting = true
        throw error
    }

    /// The characters by which libpq separates the severity of a server's error from its text.
    private static let severityEnd = ":  "

    private static func errorLines(_ handle: OpaquePointer) -> [String] {
        String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline)
            .map { String($0.drop(while: \.isWhitespace)) }
    }

    /// Returns the SQLSTATE that is all of a server's text in a line of libpq.
    private static func sqlState(in line: String) -> String? {
        let state = line.suffix(5)
        guard state.count == 5, state.allSatisfy({ $0.isASCII && ($0.isNumber || $0.isUppercase) }),
            line.dropLast(5).hasSuffix(severityEnd)
        else { return nil }
        return String(state)
    }
}
