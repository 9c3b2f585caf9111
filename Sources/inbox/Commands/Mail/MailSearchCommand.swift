import ArgumentParser
import Foundation
import Groundwork
import InboxClient
import InboxMail

/// `inbox mail search`: the mails that contain all words.
struct MailSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search mails for words, newest first.",
        discussion: """
            Searches subjects, names, addresses and the texts stored on this device, ignoring case and accents. Each \
            word may be the beginning of a longer one. With --server, the server searches complete texts. The listed \
            ids are thread ids.

            Examples:
              inbox mail search invoice march
              inbox mail search --server contract
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("The words, all of which have to match.", valueName: "words"))
    var words: [String]

    @Flag(help: "Search on the server.")
    var server = false

    @Option(help: ArgumentHelp("The maximum number of results.", valueName: "n"))
    var limit = 50

    @Flag(help: "Search stored data only, without syncing first.")
    var offline = false

    @Flag(help: "Print a JSON object: results, server, synced.")
    var json = false

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit has to be at least 1.") }
        guard !words.allSatisfy({ $0.plainLine.isEmpty }) else { throw ValidationError("The words are missing.") }
        guard !(server && offline) else { throw ValidationError("Give only one of --server and --offline.") }
    }

    func run() async throws {
        try await deviceOptions.device.withMail { mail, _ in
            var outcome = try await SyncOutcome.attempt(mail, offline: offline)
            if case .failed = outcome, let reason = outcome.mailReason(mail) {
                Output.note("inbox: Not up to date: \(reason).")
            }
            let (results, isFromServer) = try await results(mail, &outcome)
            if json {
                let object: JSON = [
                    "results": .array(results.map(\.json)), "server": .bool(isFromServer),
                    "synced": .bool(outcome.isSynced),
                ]
                Output.line(object.description)
            } else if results.isEmpty {
                Output.line("Nothing found.")
            } else {
                let people = try await MailPeople(mail)
                let list = SearchResultList(width: Terminal.size.columns, now: Date(), people: people)
                for line in list.lines(results) { Output.line(line) }
            }
            try outcome.requireLogin()
        }
    }

    /// Returns the mails that match: the server's, where it is asked and answers, or else those of this device.
    ///
    /// - Parameter outcome: The outcome of the sync before. It becomes a failure if the server doesn't accept the login
    ///   any more.
    private func results(
        _ mail: Mail,
        _ outcome: inout SyncOutcome
    ) async throws -> (results: [Mail.SearchResult], isFromServer: Bool) {
        let text = words.joined(separator: " ")
        if server, outcome.isSynced {
            do {
                return (try await mail.searchServer(text, limit: limit), true)
            } catch let error as InboxError where error.code != .storage && error.code != .closed {
                let failure = await SyncOutcome.failure(error, of: mail)
                Output.note("inbox: The server's search failed: \(failure.mailReason(mail) ?? "").")
                if failure.needsLogin { outcome = failure }
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
