import Groundwork
import JMAP

/// The requests of a round: their contents, and the application of their answers.
extension SyncEngine {
    /// The writes and queued records of a request, which the server applies.
    struct Outgoing: Sendable {
        let queued: [QueuedRecord]
        let sealed: SealedWrites?

        var parts: SendParts {
            var parts: SendParts = []
            if !queued.isEmpty { parts.insert(.queue) }
            if sealed != nil { parts.insert(.writes) }
            return parts
        }
    }

    /// Sends pending writes together with a pull, and reads the answer. A request that is too large is sent again in
    /// smaller parts (``SizeRejection``), or its answer is ``SyncResponse/tooLarge``.
    ///
    /// - Parameters:
    ///   - parts: The parts that the request may carry.
    ///   - wantsCounts: Whether to request the server's counts.
    func exchange(
        in scope: TypeScope,
        pull: SyncRequest.Pull,
        carrying parts: SendParts = .all,
        wantsCounts: Bool = false,
        probes: [SyncRequest.Probe] = []
    ) async throws -> (SyncResponse, Outgoing) {
        let type = scope.type
        var carried = parts
        while true {
            let sent = try await outgoing(in: scope, carried)
            let request = SyncRequest(
                type: type,
                account: scope.account,
                queued: sent.queued,
                sealed: sent.sealed,
                pull: pull,
                wantsCounts: wantsCounts,
                wantsPatches: type.outline != nil && typeStates[type.name].support == .full,
                probes: probes
            )
            do {
                return (try SyncResponse(await connection.call(request.request), to: request), sent)
            } catch SyncError.method(let error) where error.type == "requestTooLarge" {
                switch SizeRejection(of: pull, sent: sent.parts) {
                case .requestLess: return (.tooLarge, sent)
                case .separate: carried.remove(.queue)
                case .sendLess(let part):
                    try await halveSentParts(of: part, type, sent)
                    carried = parts
                case .final: throw SyncError.method(error)
                }
            } catch SyncError.transport(let error)
                where pull.canHalve(after: error) && (sent.sealed == nil || type.repeatDetection == .byBatchKey)
            {
                // The server may have applied the writes. If it doesn't recognize a repeat, they are compared with its
                // records first, in the next round.
                return (.tooLarge, sent)
            }
        }
    }

    private func outgoing(in scope: TypeScope, _ parts: SendParts) async throws -> Outgoing {
        let maxRecords = scope.limits.maxObjectsInSet
        return Outgoing(
            queued: parts.contains(.queue)
                ? try await queued(scope.type, limit: min(sending.limits.queue, maxRecords)) : [],
            sealed: parts.contains(.writes)
                ? try await seal(scope.type, limit: min(sending.limits.batch, maxRecords)) : nil
        )
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

    /// Sends less from now on of parts that are too large.
    private func halveSentParts(of parts: SendParts, _ type: RecordType, _ sent: Outgoing) async throws {
        if parts.contains(.queue) { try await halveQueueBatch(type, sent.queued) }
        if parts.contains(.writes) { try await halveBatch(type, sent.sealed) }
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
        _ answer: SyncResponse,
        _ sent: Outgoing,
        rows: @Sendable (StoreWriter) throws -> Void
    ) async throws -> Bool {
        let answer = sending.apply(answer, of: type)
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
        let outcome = SendOutcome(of: answer, &sending.limits)
        try await halveSentParts(of: outcome.tooLarge, type, sent)
        if outcome.mayHaveMoved { await connection.clearSession() }
        if let failure = outcome.failure { throw failure }
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
