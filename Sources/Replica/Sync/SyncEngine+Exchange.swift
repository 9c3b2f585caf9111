import GRDB
import Groundwork
import JMAP

/// The requests of a round: their contents, and the application of their answers.
extension SyncEngine {
    /// The writes and queued records of a request, which the server applies.
    struct Outgoing: Sendable {
        let sealed: SealedWrites?
        let queued: [QueuedRecord]
    }

    /// Seals the pending writes, sends them together with a pull, and reads the answer.
    ///
    /// - Parameters:
    ///   - carriesQueue: Whether the request carries queued records.
    ///   - carriesWrites: Whether the request carries pending writes.
    ///   - canHalve: Whether less can be requested. Then an answer that is larger than the connection allows is
    ///     returned as too large.
    func exchange(
        in scope: TypeScope,
        pull: SyncRequest.Pull,
        wantsCounts: Bool = false,
        probes: [SyncRequest.Probe] = [],
        carriesQueue: Bool = true,
        carriesWrites: Bool = true,
        canHalve: Bool = false
    ) async throws -> (SyncAnswer, Outgoing) {
        let type = scope.type
        let maxRecords = scope.limits.maxObjectsInSet
        let queued = carriesQueue ? try await queued(type, limit: min(sending.limits.queue, maxRecords)) : []
        let sealed = carriesWrites ? try await seal(type, limit: min(sending.limits.batch, maxRecords)) : nil
        let sent = Outgoing(sealed: sealed, queued: queued)
        let request = SyncRequest(
            type: type,
            account: scope.account,
            queued: queued,
            sealed: sealed,
            pull: pull,
            wantsCounts: wantsCounts,
            wantsPatches: type.outline != nil && !typeStates[type.name].session.lacksOutline,
            probes: probes
        )
        let response: Response
        do {
            response = try await connection.call(request.request)
        } catch SyncError.method(let error)
            where error.type == "requestTooLarge" && (sealed != nil || !queued.isEmpty || pull.canBeHalved)
        {
            // The server rejected the whole request for its size and applied none of it. Requested ids count too.
            if pull.canBeHalved {
                return (SyncAnswer(writes: nil, queued: nil, pull: .tooLarge), sent)
            }
            if queued.isEmpty {
                try await halveBatch(type, sealed)
            } else if sealed == nil {
                try await halveQueueBatch(type, queued)
            }
            // A request with both is sent again without the queue, to determine which of them is too large.
            let isBoth = !queued.isEmpty && sealed != nil
            return try await exchange(
                in: scope,
                pull: pull,
                wantsCounts: wantsCounts,
                probes: probes,
                carriesQueue: !isBoth,
                carriesWrites: carriesWrites,
                canHalve: canHalve
            )
        } catch SyncError.transport(.tooLarge(let limit)) where canHalve {
            // The server may have applied the writes. If it doesn't recognize a repeat, they are compared with its
            // records first, in the next round.
            guard sealed == nil || type.repeatDetection == .byBatchKey else {
                throw SyncError.transport(.tooLarge(limit: limit))
            }
            return (SyncAnswer(writes: nil, queued: nil, pull: .tooLarge), sent)
        }
        return (try SyncAnswer(response, to: request), sent)
    }

    private func queued(_ type: RecordType, limit: Int) async throws -> [QueuedRecord] {
        guard let queue = type.queue, limit > 0 else { return [] }
        return try await store.read { db in try db.queued(queue, limit: limit) }
    }

    private func seal(_ type: RecordType, limit: Int) async throws -> SealedWrites? {
        guard try await store.read({ db in try db.hasPending(type) }) else { return nil }
        let key = sending.key
        let (sealed, isUsed, damaged, dangling) = try await store.write { writer in
            let damaged = try writer.rejectDamaged(type)
            let dangling = try writer.rejectDanglingReferences(type)
            let isUsed = try writer.seal(type, as: key, limit: limit)
            return (try writer.sealedWrites(type), isUsed, damaged, dangling)
        }
        if isUsed { sending.keyUsed() }
        for entry in damaged {
            report(RefusedWrite(type, entry, SetError("damaged", "The stored change is unreadable.")))
        }
        for entry in dangling {
            report(RefusedWrite(type, entry, SetError("invalidProperties", "The referenced record no longer exists.")))
        }
        return sealed
    }

    /// Unseals a batch that is too large, so that the next one contains fewer records.
    ///
    /// A server that rejects a batch as too large has applied none of it. Our server hasn't applied it before either:
    /// its limits are constants, and a repeat is as large as the first. (Behind a proxy that rejects a request which it
    /// forwarded before, the writes would be applied a second time.)
    private func halveBatch(_ type: RecordType, _ sealed: SealedWrites?) async throws {
        let records = Set(sealed?.entries.map(\.id) ?? []).count
        guard sending.limits.batchRejected(records: records) else {
            // The write stays pending, because the server may accept it later.
            throw SyncError.malformed("the server rejects a single write as too large")
        }
        try await store.write { writer in try writer.unseal(type) }
    }

    /// Sends fewer queued records from now on. A single record that is too large is rejected.
    private func halveQueueBatch(_ type: RecordType, _ queued: [QueuedRecord]) async throws {
        let isHalved = sending.limits.queueRejected(records: queued.count)
        guard !isHalved, let queue = type.queue, queued.count == 1 else { return }
        try await store.write { writer in try writer.dequeue(queue, queued.map(\.uid)) }
        let reason = SetError("tooLarge", "The server rejects requests of this size.")
        for record in queued { report(RefusedWrite(queue, record, reason)) }
    }

    /// Applies an answer in one transaction: first the outcome of the sent writes, then the rows.
    ///
    /// - Returns: Whether nothing is left to send.
    /// - Throws: ``StoreCleared`` if the store was emptied since the round began. The rows are ignored then.
    @discardableResult
    func apply(
        _ type: RecordType,
        _ answer: SyncAnswer,
        _ sent: Outgoing,
        rows: @Sendable (StoreWriter) throws -> Void
    ) async throws -> Bool {
        let answer = sending.settle(answer, of: type)
        let (refusedWrites, hasPending, hasQueued, isCleared) = try await store.write { writer in
            var refusedWrites: [RefusedWrite] = []
            if case .answered(let refused, let later) = answer.queued, let queue = type.queue {
                try writer.dequeue(queue, sent.queued.map(\.uid).filter { later[$0] == nil })
                refusedWrites += sent.queued.compactMap { record in
                    refused[record.uid].map { RefusedWrite(queue, record, $0) }
                }
            }
            if case .answered(let refused, let later, let rest) = answer.writes, let sealed = sent.sealed {
                refusedWrites +=
                    try writer.answer(
                        type,
                        sealed,
                        refused: Set(refused.keys),
                        later: Set(later.keys),
                        bulkPosition: rest
                    ).map { RefusedWrite(type, $0, refused[$0.id]) }
            }
            let isCleared = try writer.db.syncPosition(type) == nil
            if !isCleared { try rows(writer) }
            if !isCleared, let counts = answer.counts { try writer.setServerCounts(type, counts) }
            let hasQueued = try type.queue.map { try writer.db.hasQueued($0) } ?? false
            return (refusedWrites, try writer.db.hasPending(type), hasQueued, isCleared)
        }
        for refusal in refusedWrites { report(refusal) }
        var failure: SyncError?
        switch answer.queued {
        case .answered(_, let later):
            if !later.isEmpty { failure = .writesRateLimited }
            sending.limits.queueAccepted()
        case .tooLarge: try await halveQueueBatch(type, sent.queued)
        case .unanswered(let error) where error.type == "unknownMethod": sending.limits.queueUnknown()
        case .unanswered(let error): failure = .method(error)
        case nil: break
        }
        switch answer.writes {
        case .answered(_, let later, _):
            if !later.isEmpty { failure = .writesRateLimited }
            sending.limits.batchAccepted()
        case .tooLarge: try await halveBatch(type, sent.sealed)
        case .unanswered(let error): failure = .method(error)
        case nil: break
        }
        if let failure {
            // The account may have moved.
            if case .method(let error) = failure, error.type == "accountNotFound" { await connection.clearSession() }
            throw failure
        }
        if isCleared { throw StoreCleared() }
        return !hasPending && (!hasQueued || !sending.limits.sendsQueue)
    }

    /// Returns the account of a type's records.
    ///
    /// - Throws: ``SyncError``.
    package func account(for type: RecordType) async throws -> String {
        try account(for: type, in: try await connection.currentSession())
    }

    func account(for type: RecordType, in session: Session) throws -> String {
        guard let account = account(of: type, in: session) else {
            throw SyncError.noAccount(capability: type.capability)
        }
        return account
    }
}

extension SyncError {
    fileprivate static let writesRateLimited = SyncError.status(
        429,
        retryAfter: nil,
        detail: "The server temporarily accepts no more writes."
    )
}

extension RefusedWrite {
    fileprivate init(_ type: RecordType, _ entry: PendingEntry, _ error: SetError?) {
        self.init(type: type.name, entry: entry, error: error?.type ?? "serverFail", detail: error?.description)
    }

    /// Creates the refusal of a queued record: its unique id, an empty path, and the whole record as the value.
    fileprivate init(_ queue: QueueType, _ record: QueuedRecord, _ error: SetError) {
        let entry = PendingEntry(id: record.uid, path: "", value: record.json)
        self.init(type: queue.name, entry: entry, error: error.type, detail: error.description)
    }
}
