/// The fetch of an outline, page by page: the size of the next page, and the meaning of each answer.
///
/// A state machine without I/O. The position in the outline is in the store, because the fetch continues in another
/// process.
struct OutlineFetch: Hashable, Sendable {
    /// A page to request.
    struct Page: Hashable, Sendable {
        /// The state that the outline's rows reflect.
        let upTo: String
        /// The cursor of the page; nil for the first one.
        let cursor: String?
        let limit: Int
        /// Whether no page of this outline has been stored yet.
        let isFirst: Bool

        var pull: SyncRequest.Pull { .outline(upTo: upTo, after: cursor, limit: limit) }

        /// Whether the page can be made smaller.
        var canHalve: Bool { limit > 1 }
    }

    /// The action after an answer.
    enum Step: Sendable {
        /// Store the page. If it isn't current, the last page is requested again after the changes up to its state.
        case store(OutlinePage, isCurrent: Bool)
        /// Request a smaller page.
        case requestLess
        /// List the outline again from its start.
        case startOver
        /// Skip the outline until the session changes: the server offers none.
        case skip
    }

    /// The maximum number of times in a round that the last page is requested again while the changes up to its state
    /// are missing.
    private static let maxLastPages = 5

    private var size = HalvingSize(2_500)
    /// The number of times in this round that the last page was of a later state.
    private var lastPages = 0

    mutating func beginRound() { lastPages = 0 }

    /// Returns the page to request.
    ///
    /// - Parameters:
    ///   - state: The state up to which the store is current.
    ///   - limit: The server's `maxObjectsInGet`.
    func page(at position: OutlinePosition, _ state: String, limit: Int) -> Page {
        Page(
            upTo: position.upTo ?? state,
            cursor: position.cursor,
            limit: min(size.value, min(limit, size.value) * 5),
            isFirst: position.upTo == nil
        )
    }

    /// Records the answer to a page.
    ///
    /// - Parameter state: The state up to which the store is current.
    /// - Throws: ``SyncError``, which is `malformed` for an answer that the page can't have.
    mutating func answered(
        _ answer: SyncResponse.Pull,
        to page: Page,
        at state: String
    ) throws(SyncError) -> Step {
        switch answer {
        case .outline(let found):
            guard found.after == nil || found.after != page.cursor else {
                throw .malformed("two pages of the outline have the same cursor")
            }
            let isCurrent = found.state == nil || found.state == state
            guard found.after == nil, !isCurrent else { return .store(found, isCurrent: isCurrent) }
            lastPages += 1
            // Otherwise a server whose state changes with each request would be asked without end.
            return .store(found, isCurrent: lastPages > Self.maxLastPages)
        case .tooLarge where page.canHalve:
            size.halve(requested: page.limit)
            return .requestLess
        // The server no longer knows the state of the first page.
        case .cannotCalculateChanges where !page.isFirst: return .startOver
        default: throw .mismatchedAnswer
        }
    }

    /// Returns the action after the server rejected the call for a page. An unknown cursor doesn't end the sync.
    func rejected(_ page: Page) -> Step { page.isFirst ? .skip : .startOver }
}
