#if PostgreSQL
    import RawCounterpart

    /// A connection to PostgreSQL from C, by libpq.
    final class RawPostgres {
        private let handle: OpaquePointer

        init(_ address: String) throws {
            guard let handle = raw_postgres_open(address) else { throw BenchmarkError("out of memory") }
            self.handle = handle
            let problem = String(cString: raw_postgres_problem(handle))
            guard problem.isEmpty else { throw BenchmarkError("libpq: \(problem)") }
        }

        deinit { raw_postgres_close(handle) }

        /// Runs statements without values.
        func execute(_ sql: String) throws {
            try check(raw_postgres_execute(handle, sql))
        }

        /// Returns the first value of a query, or -1 if there is none.
        func integer(_ sql: String) -> Int { Int(raw_postgres_integer(handle, sql)) }

        /// Runs a `COPY … FROM STDIN` with rows in its text format.
        func copy(_ sql: String, rows: [UInt8]) throws {
            let code = rows.withUnsafeBytes { bytes in
                raw_postgres_copy(handle, sql, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
            }
            try check(code)
        }

        /// Runs the statements of a plan in one round trip, and copies all columns of all rows.
        ///
        /// - Returns: The number of rows.
        @discardableResult
        func run(_ plan: PostgresPlan) throws -> Int {
            try send(plan)
            return try read()
        }

        /// Sends the statements of a plan, whose results ``read()`` waits for. A further plan may be sent before, if it
        /// has run on this connection.
        func send(_ plan: PostgresPlan) throws {
            try check(raw_postgres_send(handle, plan.handle))
        }

        /// Reads the results of all plans that were sent, and copies all columns of all rows.
        ///
        /// - Returns: The number of rows.
        @discardableResult
        func read() throws -> Int {
            var rows = 0
            try check(raw_postgres_read(handle, &rows))
            return rows
        }

        /// Waits until a notification arrives, after a `LISTEN` was executed.
        func waitForNotification() throws {
            try check(raw_postgres_wait(handle, 10))
        }

        private func check(_ code: Int32) throws {
            if code != 0 { throw BenchmarkError("libpq: \(String(cString: raw_postgres_problem(handle)))") }
        }
    }

    /// Statements with values that C prepares once and sends together.
    final class PostgresPlan {
        fileprivate let handle: OpaquePointer

        init(_ statements: [RecordedStatement]) throws {
            guard let handle = raw_postgres_plan_new() else { throw BenchmarkError("out of memory") }
            self.handle = handle
            for statement in statements {
                raw_postgres_plan_add(handle, statement.sql)
                for value in statement.values { raw_postgres_plan_bind(handle, value, Self.type(of: value)) }
            }
        }

        deinit { raw_postgres_plan_free(handle) }

        /// Replaces a value. Statements and values count from 0.
        func set(_ statement: Int, _ value: Int, to text: String) {
            raw_postgres_plan_set(handle, statement, value, text)
        }

        /// Returns the type of a value that PostgreSQL can't infer: an array of integers. 0 for all others.
        private static func type(of value: String?) -> UInt32 {
            guard let value, value.hasPrefix("{"), value.allSatisfy({ "{},0123456789".contains($0) }) else { return 0 }
            return 1_016
        }
    }
#endif
