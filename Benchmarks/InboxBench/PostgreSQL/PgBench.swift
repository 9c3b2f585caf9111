#if PostgreSQL
    import Foundation

    /// pgbench (Debian), which runs a script's transactions at several connections.
    struct PgBench {
        /// The folder of PostgreSQL's programs.
        private static let programs = "/usr/lib/postgresql/15/bin"

        private let script: URL
        private let address: String

        init(_ script: String, _ address: String, _ workspace: Workspace) throws {
            self.script = try workspace.subfolder("pgbench").appendingPathComponent("script.sql")
            self.address = address
            try Data(script.utf8).write(to: self.script)
        }

        /// Runs the script with prepared statements.
        ///
        /// - Parameters:
        ///   - variables: The values of variables that the script uses.
        ///   - seconds: At least 1.
        /// - Returns: The number of transactions in a second, without the time for connecting.
        func rate(variables: [String: Int], seconds: Double, connections: Int = Load.connections) throws -> Double {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "\(Self.programs)/pgbench")
            process.arguments =
                [
                    "--no-vacuum", "--protocol=prepared", "--client=\(connections)", "--jobs=1",
                    "--time=\(max(1, Int(seconds)))", "--file=\(script.path)",
                ] + variables.sorted { $0.key < $1.key }.map { "--define=\($0.key)=\($0.value)" } + [address]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = output
            try Self.withAlarms { try process.run() }
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let line = text.split(separator: "\n").last { $0.hasPrefix("tps = ") }
            guard process.terminationStatus == 0, let number = line?.split(separator: " ")[2],
                let rate = Double(number)
            else { throw BenchmarkError("pgbench failed: \(text.suffix(1_000))") }
            return rate
        }

        /// Starts a process that receives SIGALRM. The threads of tasks block all signals, which a child inherits, and
        /// pgbench then never notices that its time is over.
        private static func withAlarms(_ start: () throws -> Void) throws {
            var (alarm, former) = (sigset_t(), sigset_t())
            sigemptyset(&alarm)
            sigaddset(&alarm, SIGALRM)
            pthread_sigmask(SIG_UNBLOCK, &alarm, &former)
            defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
            try start()
        }
    }
#endif
