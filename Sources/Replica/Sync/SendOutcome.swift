import JMAP

/// The parts of a request that the server applies.
struct SendParts: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// Queued records, the oldest first.
    static let queue = SendParts(rawValue: 1)
    /// The pending writes, sealed as a batch.
    static let writes = SendParts(rawValue: 2)
    static let all: SendParts = [.queue, .writes]
}

/// The reaction to a request that the server rejected as a whole for its size. It has applied none of it.
///
/// A pure decision. Each reaction makes the next request smaller, so a request is rejected a limited number of times.
enum SizeRejection: Hashable, Sendable {
    /// Fewer ids are requested.
    case requestLess
    /// The request is sent again without the queue, to determine which of its parts is too large.
    case separate
    /// Less of the only part is sent.
    case sendLess(SendParts)
    /// Nothing can be made smaller.
    case final

    /// - Parameter sent: The parts that the request carried.
    init(of pull: SyncRequest.Pull, sent: SendParts) {
        if case .records = pull, pull.canHalve {
            // Requested ids count too.
            self = .requestLess
        } else if sent.isEmpty {
            self = .final
        } else {
            self = sent == .all ? .separate : .sendLess(sent)
        }
    }
}

/// The consequences of an answer for the parts of a request that the server applies.
///
/// A pure decision, except for the limits that it adjusts.
struct SendOutcome: Sendable {
    /// The parts that the server found too large. Less of them has to be sent.
    private(set) var tooLarge: SendParts = []
    /// The failure that ends the sync of the type: that of the writes, else that of the queue.
    private(set) var failure: SyncError?

    /// - Parameter limits: The limits of the next requests. They grow after accepted requests.
    init(of answer: SyncResponse, _ limits: inout SendLimits) {
        switch answer.queued {
        case .answered(_, let later):
            limits.queueAccepted()
            if !later.isEmpty { failure = .writesRateLimited }
        case .tooLarge: tooLarge.insert(.queue)
        case .unanswered(let error) where error.type == "unknownMethod": limits.queueUnknown()
        case .unanswered(let error): failure = .method(error)
        case nil: break
        }
        switch answer.writes {
        case .answered(_, let later, _):
            limits.batchAccepted()
            if !later.isEmpty { failure = .writesRateLimited }
        case .tooLarge: tooLarge.insert(.writes)
        case .unanswered(let error): failure = .method(error)
        case nil: break
        }
    }

    /// Whether the account may have moved, so that the session has to be fetched again.
    var mayHaveMoved: Bool {
        if case .method(let error) = failure { error.type == "accountNotFound" } else { false }
    }
}

extension SyncError {
    fileprivate static let writesRateLimited = SyncError.status(
        429,
        retryAfter: nil,
        detail: "The server temporarily accepts no more writes."
    )
}
