import Foundation
import Groundwork
import JMAP
import Replica

extension Outbox {
    // MARK: - Files

    func upload(_ document: DraftDocument) async throws {
        let id = document.id
        if case .send = document.job.order { try await update(id) { $0.job.isUploading = true } }
        let account = try await engine.account(for: .email)
        for file in document.text.files where file.blobID == nil {
            let bytes: Data
            do {
                guard file.isOnDevice else { throw DraftFiles.Changed() }
                bytes = try files.read(file, of: id)
            } catch {
                let text =
                    "The file \(file.name) is missing or was changed on this device. Remove it, or attach it again."
                try await update(id) { $0.job.cannotProceed(DraftRefusal(.attachment, text)) }
                return
            }
            let blobID: String
            defer { uploads.end(file.id, of: id) }
            do {
                blobID = try await uploads.report(file.id, of: id, size: bytes.count) {
                    try await connection.upload([UInt8](bytes), type: file.type, account: account)
                }
            } catch SyncError.method(let error) {
                // The server has a limit for one file.
                let text = "The file \(file.name) is larger than the server allows. \(error.description ?? "")"
                try await update(id) { $0.job.cannotProceed(DraftRefusal(.tooLarge, text)) }
                return
            }
            try await update(id) { document in
                for index in document.text.files.indices where document.text.files[index].id == file.id {
                    document.text.files[index].blobID = blobID
                }
            }
        }
        try await update(id) { $0.job.isUploading = false }
    }

    /// Forgets blobs that the server doesn't have any more, so that the files are uploaded again. If the server loses
    /// them each time, the draft can't be saved or sent as it is.
    func forgetBlobs(_ blobs: [String], of id: String) async throws {
        try await update(id) { [now, random = configuration.random] document in
            let uploaded = document.text.files.filter { $0.blobID != nil }
            let named = uploaded.filter { blobs.contains($0.blobID ?? "") }
            // A server that names none, or others, may mean any of them.
            let lost = named.isEmpty ? uploaded : named
            let ids = lost.map(\.id)
            for index in document.text.files.indices where ids.contains(document.text.files[index].id) {
                document.text.files[index].blobID = nil
            }
            guard !document.job.lostUploads(of: ids, at: now, jitter: random.unit()) else { return }
            let names = lost.map(\.name).joined(separator: ", ")
            let text =
                lost.isEmpty
                ? "The server says that it lacks a file of the mail, which has none."
                : "The server doesn't keep \(names), though it was uploaded. Try again later, or remove it."
            document.job.cannotProceed(DraftRefusal(.attachment, text))
            // Its text isn't uploaded either until it is changed: the server would lose the file again.
            document.job.unsavableRevision = document.job.revision
        }
    }

    // MARK: - Versions

    func save(_ document: DraftDocument) async throws {
        let requests = try await requests(document)
        let messageID = DraftToken.versionID(
            document.id,
            domain: requests.context.domain,
            configuration.random
        )
        let begun = try await update(document.id) { current in
            // The person may have gone on writing, or ordered something else.
            guard current.job.revision == document.job.revision, current.job.order == nil else { return false }
            current.job.beginSaving(messageID: messageID)
            return true
        }
        guard begun ?? false else { return }
        knownState = nil
        let response: Response
        do {
            response = try await connection.call(requests.save(document, messageID: messageID, at: now))
        } catch let error as SyncError where error.isCertainlyUnprocessed {
            try await update(document.id) { document in
                if error.isTooLarge { document.job.saveWasRefused() } else { document.job.didNotSave() }
            }
            if error.isTooLarge { return }
            throw error
        }
        switch try DraftAnswers.creation(response) {
        case .created(let emailID): try await update(document.id) { [now] in $0.job.didSave(emailID, at: now) }
        case .refused: try await update(document.id) { $0.job.saveWasRefused() }
        case .postponed:
            try await update(document.id) { [now, random = configuration.random] document in
                document.job.didNotSave()
                document.job.postpone(at: now, jitter: random.unit())
            }
        case .blobsNotFound(let blobs):
            try await update(document.id) { $0.job.didNotSave() }
            try await forgetBlobs(blobs, of: document.id)
        }
    }

    func findSaved(_ document: DraftDocument, _ messageID: String) async throws {
        let requests = try await requests(document)
        let local = String(messageID.prefix { $0 != "@" })
        let found = try await search(requests, local).mails.first
        try await update(document.id) { [now] document in
            if let found { document.job.didSave(found.id, at: now) } else { document.job.didNotSave() }
        }
    }

    func destroy(_ document: DraftDocument, _ ids: [String]) async throws {
        let requests = try await requests(document)
        let ids = Array(ids.prefix(50))
        let trashed = try await store.read { [trash = requests.context.trashMailbox] db in
            try ids.filter { id in try db.mail(id)?.mailboxIDs.allSatisfy { $0 == trash } ?? false }
        }
        // The person has put them there, with another program: they stay.
        guard trashed.isEmpty else {
            try await update(document.id) { [now] in $0.job.didDestroy([], refused: trashed, at: now) }
            return
        }
        let (gone, kept) = try DraftAnswers.destruction(try await connection.call(requests.destroy(ids)), of: ids)
        knownState = nil
        // What the server refuses to remove stays, as another version.
        try await update(document.id) { [now] in $0.job.didDestroy(gone, refused: kept, at: now) }
    }

    /// Moves the versions of a discarded draft to the trash, where other devices see that it was discarded, and the
    /// person finds it. Without a trash they are removed.
    func trash(_ document: DraftDocument, _ ids: [String]) async throws {
        let requests = try await requests(document)
        let ids = Array(ids.prefix(50))
        guard let request = requests.trash(ids) else { return try await destroy(document, ids) }
        let (gone, kept) = try DraftAnswers.moving(try await connection.call(request), of: ids)
        knownState = nil
        try await update(document.id) { [now] in $0.job.didDestroy(gone, refused: kept, at: now) }
    }

    func findVanished(_ document: DraftDocument) async throws {
        var found = try await search(try await requests(document), document.id).mails
        // What another device has sent isn't this text.
        if document.isSentElsewhere { found.removeAll(where: \.isForSending) }
        let (id, now) = (document.id, now)
        let isRemoved = try await store.write { [found] writer in
            guard var document = try writer.db.draftDocument(id),
                document.job.next(at: now, lacksUploads: false) == .findVanished
            else { return false }
            let isKept = document.job.foundVanished(found) || document.showReplacedText(at: now)
            if isKept {
                try writer.put(document)
            } else {
                try writer.remove(DeviceRecordKind.draft, [id])
            }
            return !isKept
        }
        if isRemoved { files.remove(of: id) }
    }
}
