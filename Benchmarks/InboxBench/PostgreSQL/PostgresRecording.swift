#if PostgreSQL
    import Foundation

    /// A statement that our server ran, with its values as text.
    struct RecordedStatement: Sendable {
        let sql: String
        var values: [String?] = []

        /// The text with single spaces.
        var normalized: String { sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    /// What our server runs on PostgreSQL, as PostgreSQL logs it.
    struct PostgresRecording {
        /// The transactions that ended, in order, without `BEGIN` and `COMMIT`.
        let transactions: [[RecordedStatement]]

        /// The prefix of each entry, before the number of the process: it is in no statement.
        private static let prefix = "@entry "
        /// The setting with which PostgreSQL has to be started.
        static let option = "log_line_prefix='\(prefix)%p '"

        /// Records the statements of one use of the server.
        ///
        /// - Parameter log: PostgreSQL's log.
        init(_ database: RawPostgres, log: URL, use: () throws -> Void) async throws {
            let start = try Data(contentsOf: log).count
            try await Self.setLog("all", database)
            do {
                try use()
            } catch {
                try await Self.setLog("none", database)
                throw error
            }
            try await Self.setLog("none", database)
            let text = String(decoding: try Data(contentsOf: log).dropFirst(start), as: UTF8.self)
            transactions = Self.transactions(in: text)
        }

        private static func setLog(_ value: String, _ database: RawPostgres) async throws {
            try database.execute("ALTER SYSTEM SET log_statement = '\(value)'")
            try database.execute("SELECT pg_reload_conf()")
            // Each process reads the setting before its next statement, once it has received a signal.
            try await Task.sleep(for: .milliseconds(500))
        }

        private static func transactions(in log: String) -> [[RecordedStatement]] {
            var open: [Substring: [RecordedStatement]] = [:]
            var ended: [[RecordedStatement]] = []
            for entry in ("\n" + log).components(separatedBy: "\n" + prefix) {
                let parts = entry.split(separator: " ", maxSplits: 1)
                guard parts.count == 2 else { continue }
                let (process, text) = (parts[0], parts[1])
                if let values = text.range(of: "DETAIL:  parameters: ") {
                    guard let last = open[process]?.indices.last else { continue }
                    open[process]?[last].values = self.values(in: text[values.upperBound...])
                } else if text.hasPrefix("LOG:  execute "), let colon = text.dropFirst(14).firstIndex(of: ":") {
                    let sql = text[colon...].dropFirst(2)
                    if sql.hasPrefix("BEGIN") {
                        open[process] = []
                    } else if sql.hasPrefix("COMMIT") {
                        if let statements = open.removeValue(forKey: process) { ended.append(statements) }
                    } else {
                        open[process]?.append(RecordedStatement(sql: String(sql)))
                    }
                }
            }
            return ended
        }

        /// Returns the values of an entry such as `$1 = 'it''s', $2 = NULL`.
        private static func values(in text: Substring) -> [String?] {
            var values: [String?] = []
            var rest = text
            while let start = rest.range(of: "$\(values.count + 1) = ") {
                rest = rest[start.upperBound...]
                guard rest.first == "'" else {
                    values.append(nil)
                    continue
                }
                rest = rest.dropFirst()
                var value = ""
                while let character = rest.popFirst() {
                    if character == "'" {
                        guard rest.first == "'" else { break }
                        rest = rest.dropFirst()
                    }
                    value.append(character)
                }
                values.append(value)
            }
            return values
        }
    }
#endif
