import Foundation
import Groundwork
import RunningMailServer
import Testing

/// Mails that are written in the person's editor, at a terminal.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MailEditorTests {
    @Test func `a draft is written in the editor, checked on return, and sent`() async throws {
        try await MailDesk.with { desk in
            try desk.write("report", to: "report.pdf")
            try desk.write("1,2", to: "given.csv")
            let terminal = try TypedTerminal()
            // First a mistake above the text, then a missing recipient, then a whole mail.
            let editor = """
                cp "$1" seen.txt
                n=$(cat count 2> /dev/null || echo 0); echo $((n + 1)) > count
                case $n in
                0) printf 'To: bob@example.org\\nHello\\n' > "$1" ;;
                1) printf 'Subject: Hi\\n\\nHello from here.\\n' > "$1" ;;
                *) printf 'To: Bob <bob@example.org>\\nSubject: Hi\\nFile: 1\\nAttach: report.pdf\\n\\nHello from here.\\n' > "$1" ;;
                esac
                """
            let arguments = ["compose", "--subject", "First", "--attach", "given.csv"]
            let process = try desk.start(arguments, editor: editor, at: terminal)
            try await process.until("the mistake") { $0.errors.contains("Edit it again?") ? true : nil }
            #expect(process.errors.contains("Line 2: \"Hello\""), "\(process.errors)")
            let first = try String(contentsOf: desk.world.folder.appendingPathComponent("seen.txt"), encoding: .utf8)
            #expect(first.contains("To:\n") && first.contains("Subject: First\n") && first.contains("# "))
            try terminal.type("\n")
            try await process.until("the question") { $0.errors.contains("[k]eep") ? true : nil }
            #expect(process.errors.contains("no recipient") && !process.errors.contains("[s]end"), "\(process.errors)")
            // What the person had written is what they correct.
            let second = try String(contentsOf: desk.world.folder.appendingPathComponent("seen.txt"), encoding: .utf8)
            #expect(second == "To: bob@example.org\nHello\n")
            try terminal.type("e\n")
            try await process.until("the last question") { $0.errors.contains("[s]end") ? true : nil }
            let third = try String(contentsOf: desk.world.folder.appendingPathComponent("seen.txt"), encoding: .utf8)
            #expect(third.contains("Hello from here.") && third.contains("# The mail has no recipient"), "\(third)")
            #expect(third.contains("File: 1 given.csv (3 B)\n"), "\(third)")
            try terminal.type("s\n")
            #expect(try await process.end() == 0, "\(process.errors)")
            #expect(process.output == "Sent to 1 recipient.\n")
            let mail = try #require(try await desk.receiver.mails().first)
            #expect(mail.recipients == ["bob@example.org"] && mail.text.contains("report.pdf"))
            #expect(mail.text.contains("given.csv") && mail.text.contains("MSwy"))
            // Nothing is left of the texts that were edited.
            let files = try FileManager.default.contentsOfDirectory(atPath: desk.world.folder.path + "/phone")
            #expect(!files.contains { $0.hasSuffix(".txt") }, "\(files)")
        }
    }

    @Test func `replies and forwards are written in the editor and checked on return`() async throws {
        try await MailDesk.with { desk in
            let list = try await desk.json("list")
            let id = try #require(list["threads"]?.arrayValue?.first?["id"]?.stringValue)
            let terminal = try TypedTerminal()
            // The text is put above what is quoted.
            let writing = """
                cp "$1" seen.txt
                { sed '/^$/q' "$1"; printf 'Written by hand.\\n'; sed '1,/^$/d' "$1"; } > new.txt
                cp new.txt "$1"
                """
            let reply = try desk.start(["reply", String(id.suffix(6)), "--all"], editor: writing, at: terminal)
            try await reply.until("the question") { $0.errors.contains("[s]end") ? true : nil }
            let page = try String(contentsOf: desk.world.folder.appendingPathComponent("seen.txt"), encoding: .utf8)
            #expect(page.hasPrefix("To: Anna Berger <anna@example.com>\nCc: Bob <bob@example.org>\nBcc:\n"), "\(page)")
            #expect(page.contains("\nSubject: Re: Plans\n") && page.contains("\n> Shall we meet?\n"), "\(page)")
            try terminal.type("s\n")
            #expect(try await reply.end() == 0, "\(reply.errors)")
            let answer = try #require(try await desk.receiver.mails().last)
            #expect(answer.recipients == ["anna@example.com", "bob@example.org"])
            #expect(answer.header("In-Reply-To") == ["<plans@example.com>"])
            let text = answer.text.replacing("\r\n", with: "\n")
            #expect(text.contains("Written by hand.\n") && text.contains("\n> Shall we meet?"), "\(text)")

            // A forward has no recipient yet, which is reported on return; what was written stays.
            let addressing = """
                if [ -e once ]; then sed -i 's/^To:.*/To: carol@example.org/' "$1"; else
                \(writing)
                : > once; fi
                """
            let forward = try desk.start(["forward", String(id.suffix(6))], editor: addressing, at: terminal)
            try await forward.until("the check") { $0.errors.contains("[k]eep") ? true : nil }
            #expect(forward.errors.contains("no recipient") && !forward.errors.contains("[s]end"))
            try terminal.type("e\n")
            try await forward.until("the question") { $0.errors.contains("[s]end") ? true : nil }
            try terminal.type("s\n")
            #expect(try await forward.end() == 0, "\(forward.errors)")
            let forwarded = try #require(try await desk.receiver.mails().last)
            #expect(forwarded.recipients == ["carol@example.org"] && forwarded.header("Subject") == ["Fwd: Plans"])
            #expect(forwarded.text.contains("Written by hand.") && forwarded.text.contains("Shall we meet?"))
            #expect(try await desk.receiver.mails().count == 2)
        }
    }

    /// An editor that handles it itself goes on, and so does the command.
    @Test func `Ctrl-C is the editor's while it is open`() async throws {
        try await MailDesk.with { desk in
            let terminal = try TypedTerminal()
            let editor = """
                : > begun; while [ ! -e go ]; do sleep 0.1; done
                printf 'Subject: Hi\\n\\nKept.\\n' > "$1"
                """
            let process = try desk.start(["compose"], editor: editor, at: terminal)
            let begun = desk.world.folder.appendingPathComponent("begun").path
            try await process.until("the editor") { _ in FileManager.default.fileExists(atPath: begun) ? true : nil }
            process.signal(SIGINT)
            try desk.write("", to: "go")
            try await process.until("the question") { $0.errors.contains("[k]eep") ? true : nil }
            try terminal.type("k\n")
            #expect(try await process.end() == 0, "\(process.errors)")
            #expect(try await desk.drafts().map { $0["preview"] } == ["Kept."])
        }
    }

    /// Ctrl-D, or a terminal that is closed. No editor is opened again then.
    @Test func `the end of the input at a question keeps what was written`() async throws {
        try await MailDesk.with { desk in
            let count = "n=$(cat count 2> /dev/null || echo 0); echo $((n + 1)) > count; "
            for (page, question, status) in [
                (#"printf 'Subject: Hi\n\nKept.\n' > "$1""#, "[k]eep", Int32(0)),
                (#"printf 'Nonsense\n' > "$1""#, "Edit it again?", 3),
            ] {
                let terminal = try TypedTerminal()
                let process = try desk.start(["compose"], editor: count + page, at: terminal)
                try await process.until("the question") { $0.errors.contains(question) ? true : nil }
                try terminal.type("\u{4}")
                #expect(try await process.end() == status, "\(process.errors)")
                let file = process.errors.contains("What you wrote is in ")
                #expect(file == (status == 3), "\(process.errors)")
            }
            let editors = try String(contentsOf: desk.world.folder.appendingPathComponent("count"), encoding: .utf8)
            #expect(editors == "2\n")
            #expect(try await desk.drafts().map { $0["preview"] } == ["Kept."])
        }
    }

    @Test func `an editor that fails loses nothing`() async throws {
        try await MailDesk.with { desk in
            let terminal = try TypedTerminal()
            let unchanged = try desk.start(["compose"], editor: "exit 1", at: terminal)
            #expect(try await unchanged.end() == 1)
            #expect(unchanged.errors.contains("ended with status 1"), "\(unchanged.errors)")
            let changed = try desk.start(["compose"], editor: "echo kept >> \"$1\"; exit 2", at: terminal)
            #expect(try await changed.end() == 1)
            let path = try #require(changed.errors.split(separator: " is in ").last.map { String($0) })
                .trimmingCharacters(in: .newlines)
            #expect(try String(contentsOfFile: path, encoding: .utf8).hasSuffix("kept\n"))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            #expect(try await desk.drafts().isEmpty)
            // Ctrl-C ends an editor that doesn't handle it.
            let before = signal(SIGINT, SIG_DFL)
            defer { signal(SIGINT, before) }
            let interrupted = try desk.start(["compose"], editor: "kill -INT $$; exit 7", at: terminal)
            #expect(try await interrupted.end() == 1)
            #expect(interrupted.errors.contains("ended with status 130"), "\(interrupted.errors)")
            // So it does where the shell becomes the editor.
            let shell = try desk.world.start(
                ["mail", "compose", "--directory", "phone"],
                terminal: terminal,
                environment: ["EDITOR": "kill -INT $$; exit 7; true"]
            )
            #expect(try await shell.end() == 1)
            #expect(shell.errors.contains("ended with status 130"), "\(shell.errors)")
            let missing = try desk.world.start(
                ["mail", "compose", "--directory", "phone"],
                terminal: terminal,
                environment: ["EDITOR": "nonesuch-editor"]
            )
            #expect(try await missing.end() == 1)
            #expect(missing.errors.contains("There is no editor nonesuch-editor"), "\(missing.errors)")
        }
    }
}
