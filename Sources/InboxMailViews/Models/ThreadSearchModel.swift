public import Foundation
public import Groundwork
public import InboxMail
public import Observation
import InboxViews
import Replica

/// A search of an account's mail on screen: on the device at once, and then on the server, which has the complete
/// texts. The results follow changes of the stored mail.
@MainActor
@Observable
public final class ThreadSearchModel {
    /// A thread with its newest mail that a search has found.
    public struct Result: Hashable, Identifiable, Sendable {
        /// The thread.
        public let thread: MailThread
        /// The mail.
        public let message: MailMessage
        /// The subject, with the matches highlighted.
        public let subject: HighlightedText
        /// The part of the text around the matches, highlighted.
        public let snippet: HighlightedText

        /// The thread's id.
        public var id: String { thread.id }
    }

    /// The state of the search.
    public enum State: Hashable, Sendable {
        /// Nothing is searched: the text has no word.
        case idle
        /// The first results aren't known yet.
        case searching
        /// The results; none if no mail matches.
        case found
        /// The store can't be read, for the given reason.
        case failed(MailError)
    }

    /// The seconds after the last key until a search begins.
    public static let delay: TimeInterval = 0.3
    /// The number of mails that are searched for at first, and by which ``loadMore()`` extends that.
    public static let pageSize = 50

    /// The text in the search field. The search follows it after ``delay``, and ends at once when it is emptied.
    public var text = "" {
        didSet {
            if text != oldValue { schedule() }
        }
    }
    /// The state of the search.
    public private(set) var state = State.idle
    /// The results, the newest mail first. Those of the text before stay until the first of the new ones are known.
    public private(set) var results: [Result] = []
    /// Whether the server is being asked.
    public private(set) var isSearchingServer = false
    /// The reason why the server couldn't be asked: only the mail on this device was searched. Nil once it was.
    public private(set) var serverError: MailError?
    /// Whether more mails may match.
    public private(set) var hasMore = false
    /// Whether the text has a word, so that results are shown in place of a list.
    public var isActive: Bool { text.contains { $0.isLetter || $0.isNumber } }

    @ObservationIgnored private let mail: Mail
    @ObservationIgnored private let clock: any WallClock
    @ObservationIgnored private var words = ""
    @ObservationIgnored private var limit = ThreadSearchModel.pageSize
    @ObservationIgnored private var fromServer: [Mail.SearchResult] = []
    /// Counts the reads. The results of one that isn't the last are older than those of the last, and are ignored.
    @ObservationIgnored private var generation = 0
    @ObservationIgnored private let waiting = OwnedTask()
    @ObservationIgnored private let observation = OwnedTask()
    @ObservationIgnored private let asking = OwnedTask()

    /// Creates a search in an account.
    ///
    /// - Parameters:
    ///   - mail: The account.
    ///   - clock: The clock.
    public init(_ mail: Mail, clock: any WallClock = SystemClock()) {
        (self.mail, self.clock) = (mail, clock)
    }

    /// Searches for more mails. Does nothing if ``hasMore`` is false, or while the server is asked.
    public func loadMore() {
        guard hasMore, !isSearchingServer else { return }
        limit += Self.pageSize
        search()
    }

    /// Asks the server again, and returns when it has answered or failed.
    public func refresh() async {
        guard state != .idle else { return }
        search()
        await asking.task?.value
    }

    // MARK: - Searching

    private func schedule() {
        guard isActive else { return end() }
        if state == .idle { state = .searching }
        let begin = clock.now.addingTimeInterval(Self.delay)
        waiting.start { [weak self, clock] in
            guard (try? await clock.sleep(until: begin)) != nil, !Task.isCancelled, let self else { return }
            // A space at the end is no other search.
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard words != self.words else { return }
            (self.words, limit, fromServer) = (words, Self.pageSize, [])
            search()
        }
    }

    private func end() {
        for task in [waiting, observation, asking] { task.cancel() }
        (words, fromServer, results) = ("", [], [])
        (isSearchingServer, serverError, hasMore) = (false, nil, false)
        state = .idle
    }

    private func search() {
        let commits = mail.commits
        observation.start { [weak self] in
            do {
                for await _ in commits {
                    guard let self else { return }
                    try await update()
                    if Task.isCancelled { return }
                }
                guard !Task.isCancelled else { return }
                self?.fail(.closedMail)
            } catch {
                guard !Task.isCancelled else { return }
                self?.fail(MailError(error))
            }
        }
        askServer()
    }

    private func askServer() {
        (isSearchingServer, serverError) = (true, nil)
        asking.start { [weak self, mail, words, limit] in
            do {
                let found = try await mail.searchServer(words, limit: limit)
                guard !Task.isCancelled, let self else { return }
                fromServer = found
                // A failure of the store is known from the search on the device.
                try? await update()
                guard !Task.isCancelled else { return }
            } catch {
                guard !Task.isCancelled else { return }
                self?.serverError = MailError(error)
            }
            self?.isSearchingServer = false
            self?.asking.end()
        }
    }

    /// Searches the device, and shows its results and the server's.
    private func update() async throws {
        generation += 1
        let (generation, words, limit, remote) = (generation, words, limit, fromServer)
        let here = try await mail.search(words, limit: limit)
        let found = Self.merged(here, remote)
        let ids = found.map(\.message.threadID)
        let threads = Dictionary(
            try await mail.threads(Query(where: #Predicate { ids.contains($0.id) })).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        // The text may have changed meanwhile.
        guard generation == self.generation, words == self.words, limit == self.limit else { return }
        let results = found.compactMap { found in
            threads[found.message.threadID].map {
                Result(thread: $0, message: found.message, subject: found.subject, snippet: found.snippet)
            }
        }
        if self.results != results { self.results = results }
        let hasMore = here.count >= limit || remote.count >= limit
        if self.hasMore != hasMore { self.hasMore = hasMore }
        if state != .found { state = .found }
    }

    private func fail(_ error: MailError) {
        asking.cancel()
        (results, hasMore, isSearchingServer) = ([], false, false)
        state = .failed(error)
    }

    /// Returns the newest result of each thread, the newest first. Those of the device, which are up to date, come
    /// before those of the server.
    private static func merged(_ here: [Mail.SearchResult], _ remote: [Mail.SearchResult]) -> [Mail.SearchResult] {
        let known = Set(here.map(\.id))
        let all = (here + remote.filter { !known.contains($0.id) }).sorted { one, other in
            (one.message.receivedAt, one.id) > (other.message.receivedAt, other.id)
        }
        var threads: Set<String> = []
        return all.filter { threads.insert($0.message.threadID).inserted }
    }
}
