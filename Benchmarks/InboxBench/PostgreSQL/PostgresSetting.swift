#if PostgreSQL
    import Foundation
    import Groundwork
    import InboxModel
    import RunningPostgres

    /// Debian's PostgreSQL with our server on a database of it, and the same people and messages as ``Servers``.
    final class PostgresSetting: Sendable {
        let postgres: DatabaseServer
        /// The address of the database of our server.
        let address: String
        let port: Int
        let reader: Servers.Account
        private let children: Locked<[Child]>

        /// The settings of PostgreSQL that differ from its own: memory as its documentation recommends it, and a log
        /// that isn't so short that checkpoints follow each other.
        private static let options = ["shared_buffers='1GB'", "max_wal_size='8GB'", PostgresRecording.option]

        init(_ effort: Effort) async throws {
            do {
                postgres = try await DatabaseServer.start(options: Self.options)
            } catch {
                throw BenchmarkError("PostgreSQL doesn't start; scripts/postgresql install installs it. \(error)")
            }
            do {
                address = try await Self.newDatabase(of: postgres)
                let ours = try Servers.start(database: address)
                children = Locked([ours])
                port = ours.port
                let sends = (0..<effort.inbox).map { Servers.send(Corpus.content($0), to: "reader") }
                _ = try Load(sends, to: port, seconds: 240, limit: sends.count)
                _ = try Servers.sendToMany(effort.recipients).answer(from: port)
                reader = try Servers.account("reader", port: port)
                try RawPostgres(address).execute("VACUUM ANALYZE")
            } catch {
                await postgres.stop()
                throw error
            }
        }

        /// Starts a further server on the database, which stops with the others.
        func startNode() throws -> Child {
            let child = try Servers.start(database: address)
            children.withLock { $0.append(child) }
            return child
        }

        /// PostgreSQL's log.
        var log: URL { postgres.folder.appending(path: "output") }

        /// Makes a database, and returns its address. Connections are without TLS, which would be measured with them.
        static func newDatabase(of server: DatabaseServer) async throws -> String {
            server.address(try await server.newDatabase()) + "?sslmode=disable"
        }

        func stop() async {
            for child in children.withLock({ $0 }) { child.stop() }
            await postgres.stop()
        }
    }
#endif
