import Eventually
import Foundation
import Postgres
import RunningPostgres
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// The tests' own server.
@Suite(.timeLimit(.minutes(5))) struct DatabaseServerTests {
    /// The processes whose command names a folder.
    private func processes(naming folder: URL) -> [pid_t] {
        let name = folder.lastPathComponent
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.filter { pid in
            let command = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
            return String(decoding: command, as: UTF8.self).contains(name)
        }
    }

    @Test func `a server commits to the disk, and leaves nothing`() async throws {
        let server = try await DatabaseServer.start(options: ["max_connections=17"])
        let settings = try server.settings()
        let values = try await blocking {
            let connection = try PostgresConnection(settings)
            defer { connection.close() }
            try connection.executeScript("CREATE TABLE t (id bigint); INSERT INTO t VALUES (1)")
            return try ["fsync", "synchronous_commit", "full_page_writes", "max_connections"].map { name -> String in
                try connection.execute("SELECT setting FROM pg_settings WHERE name = $1", [name])[0][0]
            }
        }
        #expect(values == ["on", "on", "on", "17"])
        try await server.kill()
        try await server.restart()
        #expect(
            try await blocking { try PostgresConnection(settings).execute("SELECT count(*) FROM t")[0][0] } == 1
        )
        #expect(processes(naming: server.folder).count >= 3)
        await server.stop()
        #expect(processes(naming: server.folder).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: server.folder.path))
    }

    #if canImport(Glibc)
        private func parent(of process: Int32) -> Int32 {
            let line = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            // After the command's name in parentheses: the state, and the parent.
            let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 1 ? Int32(fields[1]) ?? 0 : 0
        }

        @Test func `a script that is killed takes its processes along`() async throws {
            let server = try await DatabaseServer.start()
            let processes = processes(naming: server.folder)
            // The script's own command names the folder, too; it is the parent of the others. (Numbers of processes
            // begin again, so it may not have the least.)
            let script = try #require(processes.first { !processes.contains(parent(of: $0)) })
            Glibc.kill(script, SIGKILL)
            #expect(try await eventually { self.processes(naming: server.folder).allSatisfy { $0 == script } })
            await server.stop()
            try FileManager.default.removeItem(at: server.folder)
        }
    #endif
}
