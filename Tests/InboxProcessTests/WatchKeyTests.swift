import Foundation
import Groundwork
import Testing

/// `inbox watch` as a process, at whose terminal a person types.
@Suite(.timeLimit(.minutes(10))) struct WatchKeyTests {
    private func watch(_ world: World, _ device: TestDevice) throws -> Typist {
        let terminal = try TypedTerminal()
        terminal.show()
        let process = try world.start(
            ["watch", "--directory", device.name],
            output: terminal.input,
            terminal: terminal,
            environment: ["TERM": "xterm", "LANG": "en_US.UTF-8"]
        )
        return Typist(terminal: terminal, process: process)
    }

    @Test func `a person moves, opens, archives, undoes, searches and quits by keys`() async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            var ids: [String] = []
            for title in ["Shoes", "Boots", "Hats"] { ids.append(try await world.send(title)) }
            let person = try watch(world, phone)
            try await person.sees("the list") { lines in
                lines.contains { $0.contains("›") && $0.contains("Hats") } && lines[0].contains("3 unread of 3")
            }
            #expect(!person.terminal.isEchoing)
            // Moving, by letters and arrows.
            try await person.types("j", until: "the second") {
                $0.contains { $0.contains("›") && $0.contains("Boots") }
            }
            try await person.types("\u{1B}[B", until: "the third") {
                $0.contains { $0.contains("›") && $0.contains("Shoes") }
            }
            // Opening reads the message.
            try await person.types("\r", until: "the message") { $0.last?.contains("Esc goes back") ?? false }
            try await person.types("\u{1B}", until: "the list, one read") { $0[0].contains("2 unread of 3") }
            try await person.types("u", until: "it is unread again") { $0[0].contains("3 unread of 3") }
            // Archiving, and the undo.
            try await person.types("k", until: "the second") {
                $0.contains { $0.contains("›") && $0.contains("Boots") }
            }
            try await person.types("a", until: "it is archived") { lines in
                !lines.contains { $0.contains("Boots") } && lines.last?.contains("1 archived.  z undoes") ?? false
            }
            try await person.types("z", until: "it is back") { lines in lines.contains { $0.contains("Boots") } }
            // From an open message too.
            try await person.types("a\r", until: "another one is open") { $0.last?.contains("Esc goes back") ?? false }
            try await person.types("z", until: "the undo is said") {
                $0.last?.contains("Undone: 1 message.") ?? false
            }
            try await person.types("\u{1B}", until: "all three") { lines in
                ["Shoes", "Boots", "Hats"].allSatisfy { title in lines.contains { $0.contains(title) } }
            }
            // The search.
            try await person.types("/hat\r", until: "what matches") { lines in
                lines.contains { $0.contains("Hats") } && !lines.contains { $0.contains("Shoes") }
            }
            try await person.types("\u{1B}", until: "all again") { lines in lines.contains { $0.contains("Shoes") } }
            // Several at once.
            try await person.types("As1", until: "all are snoozed") { $0.last?.contains("3 snoozed") ?? false }
            try await person.types("4", until: "the snoozed ones") { lines in lines.contains { $0.contains("Boots") } }
            try await person.types("Aa", until: "they are back") { lines in !lines.contains { $0.contains("Boots") } }
            try person.terminal.type("q")
            #expect(try await person.process.end() == 0)
            #expect(person.terminal.isEchoing && person.terminal.text.hasSuffix("\u{1B}[?1049l"))
            #expect(Set(try await phone.list().ids) == Set(ids))
        }
    }

    /// What another process's sign-out leaves.
    private func removeStore(of device: TestDevice) throws {
        let file = try device.storeFile()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
    }

    @Test func `removing the store ends the watch and restores the terminal`() async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            _ = try await world.send("Shoes")
            let person = try watch(world, phone)
            try await person.sees("the list") { lines in lines.contains { $0.contains("Shoes") } }
            try removeStore(of: phone)
            #expect(try await person.process.end() == 2)
            #expect(person.process.errors.contains("Log in again with: inbox login"), "\(person.process.errors)")
            #expect(person.terminal.isEchoing && person.terminal.text.contains("\u{1B}[?1049l"))
        }
    }

    @Test(arguments: [[], ["--json"]])
    func `removing the store ends a watch that prints lines`(_ options: [String]) async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            _ = try await world.send("Shoes")
            let process = try world.start(["watch", "--directory", phone.name] + options)
            try await process.until("the message") { $0.output.contains("Shoes") ? true : nil }
            try removeStore(of: phone)
            #expect(try await process.end() == 2)
            #expect(process.errors.contains("logged out"), "\(process.errors)")
        }
    }

    @Test func `Ctrl-C leaves the terminal as it was`() async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            let person = try watch(world, phone)
            try await person.sees("the frame") { $0.contains { $0.contains("Inbox") } }
            #expect(!person.terminal.isEchoing)
            person.process.signal(SIGINT)
            _ = try await person.process.end()
            #expect(person.terminal.isEchoing && person.terminal.text.contains("\u{1B}[?1049l"))
        }
    }
}
