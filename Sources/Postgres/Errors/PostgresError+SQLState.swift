import CLibpq

extension PostgresError {
    /// Creates the error of a result.
    init(_ result: OpaquePointer) {
        func field(_ code: Character) -> String? {
            guard let ascii = code.asciiValue, let text = PQresultErrorField(result, Int32(ascii)) else { return nil }
            return String(cString: text)
        }
        // The codes are those of PostgreSQL's protocol, section "Error and Notice Message Fields".
        let state = field("C")
        let message = field("M") ?? String(cString: PQresultErrorMessage(result)).firstLine
        // `S` is in the server's language, `V` always in English. PgBouncer sends `S` alone.
        let isFatal = ["FATAL", "PANIC"].contains(field("V") ?? field("S") ?? "")
        // The name of the server's function is in no language. Its SQLSTATE is that of many other errors.
        let function = field("R")
        let isOutdated = function == "RevalidateCachedQuery"
        let kind: Kind =
            switch state {
            // A value that doesn't have the format of its type, not a fault of the connection.
            case "08P01" where !isFatal: .invalidValue
            case "0A000" where isOutdated: .conflict
            default:
                // Whatever the reason is, such as a log that can't be written, the server is back later.
                switch Self.kind(of: state, function: function) {
                case .other where isFatal, .incomplete where isFatal: .unavailable
                case let kind: kind
                }
            }
        self.init(
            kind,
            // The name of a missing role isn't data.
            state?.hasPrefix("22") == true && kind != .incomplete ? "invalid data" : message,
            sqlState: state,
            constraint: field("n")
        )
        // A pooler that isn't stated has given the next transaction a server's connection without the statement.
        self.isFatal = isFatal
        endsConnection = isFatal || state == "25006" || state == "26000"
        outdatesStatements = isOutdated
    }

    /// Returns the kind of a SQLSTATE (PostgreSQL, appendix A). Nil is a lost connection.
    ///
    /// - Parameter function: The server's function that has raised the error, where several errors have the SQLSTATE.
    package static func kind(of state: String?, function: String? = nil) -> Kind {
        guard let state else { return .unavailable }
        switch (state, function) {
        // A row that a policy refuses is an error of the statement, not of the user's rights.
        case ("42501", "ExecWithCheckOptions"): return .other
        // A value of a setting that the server looks up: the role doesn't exist.
        case ("22023", "call_string_check_hook"): return .incomplete
        // A partition that isn't there. A row that violates a CHECK, or belongs to another partition, has the same.
        case ("23514", "ExecFindPartition"): return .incomplete
        // No transaction id is left for a write: none is accepted before VACUUM has run ("Preventing
        // Transaction ID Wraparound Failures" in PostgreSQL's documentation).
        case ("54000", "GetNewTransactionId"), ("54000", "GetNewMultiXactId"): return .unavailable
        default: break
        }
        switch state {
        case "40001", "40P01": return .conflict
        case "23505": return .uniqueViolation
        case "57014", "55P03", "25P03": return .timedOut
        case "53100": return .diskFull
        // Also a standby, or a primary that became one: it accepts no writes.
        case "25006", "40003", "55006", "57P01", "57P02", "57P03", "57P05": return .unavailable
        // The database was dropped.
        case "57P04", "3D000": return .rejected
        // A schema, a table, a column, a function, a role or another object that doesn't exist, a right that the user
        // doesn't have, an index for ON CONFLICT that isn't there.
        case "3F000", "42P01", "42703", "42883", "42704", "42501", "42P10": return .incomplete
        default: break
        }
        switch state.prefix(2) {
        // 53: memory, connections or locks are used up for the moment. 58: a fault of the system, such as of a disk.
        case "08", "53", "58": return .unavailable
        case "28": return .rejected
        case "22": return .invalidValue
        default: return .other
        }
    }
}

extension String {
    /// The first line, without the spaces around it.
    var firstLine: String {
        let line = split(separator: "\n", maxSplits: 1).first.map(String.init) ?? self
        return String(line.drop { $0 == " " })
    }
}
