import Groundwork
import Replica

extension Outbox {
    /// Makes the texts that other windows have left in a draft that was sent a draft of their own.
    func separateReplacedTexts(of sent: DraftDocument) async throws {
        let separated = sent.draftOfReplacedTexts(id: DraftToken.make(configuration.random), at: now)
        if let separated {
            do {
                try files.copy(separated.filesOnDevice, of: sent.id, to: separated.id)
            } catch {
                // Such as on a full disk. The texts stay where they are.
                files.remove(separated.filesOnDevice, of: separated.id)
                try await update(sent.id) { [now, jitter] document in
                    document.job.postpone(at: now, jitter: jitter)
                }
                return
            }
        }
        try await store.write { writer in
            // Another process may have done it.
            guard var stored = try writer.db.draftDocument(sent.id), stored.replacedTexts == sent.replacedTexts
            else { return }
            stored.replacedTexts = []
            if var separated {
                stored.job.handOver(separated.mailsOfFiles, to: &separated.job)
                try writer.put(separated)
            }
            try writer.put(stored)
        }
    }
}
