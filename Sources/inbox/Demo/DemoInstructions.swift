import Foundation

/// The instructions that a demo prints: commands to paste into other terminals. None contains the key, because `ps`
/// shows command lines.
struct DemoInstructions {
    let server: URL
    let directory: URL
    let people: [String]
    /// The sign-in link of each person, which opens their inbox in a browser.
    let links: [(person: String, url: URL)]

    /// The person whose inbox is shown if no message names a recipient.
    static let anyone = "alice"

    func lines(messageCount: Int) -> [String] {
        let person = people.first ?? Self.anyone
        let inbox = quoted(Bundle.main.executablePath ?? CommandLine.arguments[0])
        let device = quoted(directory.appendingPathComponent("device-\(person)", isDirectory: true).path)
        return [
            "inbox is ready at \(server.absoluteString)",
            "It has \(counted(messageCount, "message")) for \(list(people)).",
            "",
        ] + pages + [
            "Watch \(person)'s inbox live, in a second terminal:",
            "",
            "  \(inbox) login \\",
            "    --server \(server.absoluteString) --person \(quoted(person)) \\",
            "    --key-file \(quoted(DemoState.keyFile(in: directory).path)) \\",
            "    --directory \(device) &&",
            "  \(inbox) watch \\",
            "    --directory \(device)",
            "",
            "Send \(person) a message, in a third:",
            "",
            "  curl \(server.absoluteString)/v1/messages \\",
            "    -H @\(quoted(DemoState.headerFile(in: directory).path)) \\",
            "    -H 'Content-Type: application/json' \\",
            "    -d '{\"to\": {\"person\": \"\(person)\"}, \"message\": {\"title\": \"It works\"}}'",
            "",
            "Each --directory is a separate device. list, show and read accept it too.",
            "Ctrl-C stops the demo. Its data stays in \(directory.lastPathComponent) for the next run.",
        ]
    }

    private var pages: [String] {
        guard !links.isEmpty else { return [] }
        let width = links.map(\.person.count).max() ?? 0
        return ["Open an inbox in a browser on this machine. Each link works once, within ten minutes:", ""]
            + links.map { link in
                let padding = String(repeating: " ", count: width - link.person.count)
                return "  \(link.person)\(padding)  \(link.url.absoluteString)"
            } + [""]
    }

    private func list(_ names: [String]) -> String {
        guard names.count > 1 else { return names.first ?? "everyone" }
        return names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    }

    /// Quotes a word for the shell.
    private func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "/._-+:@%,=".contains($0) }
        return isPlain && !word.isEmpty ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}
