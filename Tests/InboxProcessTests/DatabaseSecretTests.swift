#if PostgreSQL
    import Foundation
    import Groundwork
    import RunningPostgres
    import Testing

    /// `inbox serve` with a password that isn't in the address, and with TLS as libpq has it.
    @Suite(.timeLimit(.minutes(5))) struct DatabaseSecretTests {
        /// Writes a file of passwords as libpq reads it.
        private func passwordFile(_ world: World, _ name: String, _ password: String) throws -> String {
            let file = world.folder.appending(path: name)
            // A colon or a backslash in a field would need one before it.
            try Data("127.0.0.1:*:*:*:\(password)\n".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            return file.path
        }

        private func errors(
            _ world: World,
            _ address: String,
            _ environment: [String: String] = [:]
        ) async throws -> String {
            let process = try world.start(["serve", "--database", address, "--port", "0"], environment: environment)
            #expect(try await process.end() == 1)
            return process.errors + process.output
        }

        @Test func `the password comes from a file or the environment, and is in no message`() async throws {
            let database = try await DatabaseServer.shared.value
            let name = try await database.newDatabase()
            let address = "postgres://\(database.user)@127.0.0.1:\(database.port)/\(name)"
            try await World.with { world in
                let file = try passwordFile(world, "passwords", database.password)
                let wrong = try passwordFile(world, "wrong", "not-the-password")
                for (parameters, environment) in [
                    ("", ["PGPASSFILE": file]), ("?passfile=\(file)", [:]), ("", ["PGPASSWORD": database.password]),
                ] {
                    try await world.startServer(database: address + parameters, environment: environment)
                    _ = try await world.send("Hello")
                    try await world.stopServer()
                }
                for (parameters, environment) in [
                    ("", ["PGPASSFILE": wrong]), ("?passfile=\(wrong)", [:]), ("", ["PGPASSWORD": "not-the-password"]),
                ] {
                    let text = try await errors(world, address + parameters, environment)
                    #expect(text.contains("Check the address, the user and the password"), "\(text)")
                    #expect(!text.contains("not-the-password"))
                }
                // None at all.
                let none = try await errors(world, address)
                #expect(none.contains("password"), "\(none)")
                #expect(none.contains("Check the address, the user and the password"), "\(none)")
            }
        }

        @Test func `TLS follows the address, and required TLS without support is an error`() async throws {
            try await DatabaseServer.run(options: ["ssl=off"]) { plain in
                try await World.with { world in
                    let text = try await errors(world, plain.address() + "?sslmode=require")
                    #expect(text.contains("does not support SSL, but SSL was required"), "\(text)")
                    #expect(!text.contains(plain.password))
                    let open = try await errors(world, plain.address("nonesuch") + "?sslmode=disable")
                    #expect(open.contains("does not exist"), "\(open)")
                }
            }
            let database = try await DatabaseServer.shared.value
            let name = try await database.newDatabase()
            try await World.with { world in
                // The certificate is for localhost, and signed by itself.
                let verified = "sslmode=verify-full&sslrootcert=\(database.certificate)"
                let other = try await errors(world, database.address(name) + "?" + verified)
                #expect(other.contains("certificate"), "\(other)")
                let address = database.address(name).replacing("127.0.0.1", with: "localhost")
                try await world.startServer(database: "\(address)?\(verified)")
                _ = try await world.send("Hello")
                try await world.stopServer()
            }
        }
    }
#endif
