import Replica

/// Requests several mails at once. If the response can't be read, halves of them are requested, down to single ones.
///
/// - Parameters:
///   - request: Requests mails and stores what was received.
///   - whenUnreadable: Called with a mail whose response can't be read though it was requested alone.
/// - Throws: The errors of `request` that have another reason.
func requestDivided(
    _ ids: [String],
    isolation: isolated (any Actor)? = #isolation,
    _ request: ([String]) async throws -> Void,
    whenUnreadable: (String) -> Void
) async throws {
    do {
        try await request(ids)
    } catch let error as SyncError where error.maySucceedForFewerMails {
        guard ids.count > 1 else { return whenUnreadable(ids[0]) }
        let half = ids.count / 2
        try await requestDivided(Array(ids.prefix(half)), request, whenUnreadable: whenUnreadable)
        try await requestDivided(Array(ids.dropFirst(half)), request, whenUnreadable: whenUnreadable)
    }
}

extension SyncError {
    /// Whether the request may succeed for fewer mails, or for others.
    var maySucceedForFewerMails: Bool {
        switch self {
        case .malformed, .method, .transport(.tooLarge): true
        default: false
        }
    }
}
