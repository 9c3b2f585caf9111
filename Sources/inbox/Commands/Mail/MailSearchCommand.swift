import ArgumentParser
import Foundation
import Groundwork
import InboxClient
import InboxMail

/// `inbox mail search`: the mails that contain all words.
struct MailSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search mails for words, the newest first.",
        discussion: """
            Subjects, names, addresses and the texts that are on this device, without regard to case and accents; each word may \
            be the beginning of one. With --server the server looks, through whole texts. The ids are those of threads.

            Examples:
              inbox mail search invoice march
              inbox mail search --server contract
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("The words, all of which have to be there.", valueName: "words"))
    var words: [String]

    @Flag(help: "Let the server look.")
    var server = false

    @Option(help: ArgumentHelp("At most so many.", valueName: "n"))
    var limit = 50

    @Flag(help: "Search what this device holds, without asking the server for news first.")
    var offline = false

    @Flag(help: "Print a JSON object: results, server, synced.")
    var json = false

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit has to be 1 or more.") }
        guard !(server && offline) else { throw ValidationError("Give --server or --offline.") }
    }

    func run() async throws {
        try await deviceOptions.device.withMail { mail, _ in
            let outcome = try await SyncOutcome.trying(mail, offline: offline)
            if case .failed = outcome, let reason = outcome.mailReason {
                Output.note("inbox: Not up to date: \(reason).")
            }
            let (results, isFromServer) = try await results(mail, isReached: outcome.isSynced)
            if json {
                let object: JSON = [
                    "results": .array(results.map(\.json)), "server": .bool(isFromServer),
                    "synced": .bool(outcome.isSynced),
                ]
                return Output.line(object.description)
            }
            guard !results.isEmpty else { return Output.line("Nothing found.") }
            let list = SearchResultList(width: Terminal.size.columns, now: Date(), people: try await MailPeople(mail))
            for line in list.lines(results) { Output.line(line) }
        }
    }

    private func results(
        _ mail: Mail,
        isReached: Bool
    ) async throws -> (results: [Mail.SearchResult], isFromServer: Bool) {
        let text = words.joined(separator: " ")
        if server, isReached {
            do {
                return (try await mail.searchServer(text, limit: limit), true)
            } catch let error as InboxError where error.code != .storage && error.code != .closed {
                let reason = SyncOutcome.failed(error).mailReason ?? ""
                Output.note("inbox: The server didn't look: \(reason).")
            }
        }
        return (try await mail.search(text, limit: limit), false)
    }
}

extension Mail.SearchResult {
    /// The mail, with the snippet of the text that matched.
    fileprivate var json: JSON {
        var object = message.json
        object["snippet"] = .string(snippet.text)
        return .object(object)
    }
}
