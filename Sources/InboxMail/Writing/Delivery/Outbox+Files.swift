import Foundation
import Groundwork
import JMAP
import MailComposing
import Replica

/// The files of drafts: they are uploaded, found in other mails, and kept until the server has them elsewhere.
extension Outbox {
    /// Uploads a draft's files. The draft says why one can't be uploaded; those after it aren't either then.
    func upload(_ document: DraftDocument) async throws {
        let id = document.id
        if case .send = document.job.order { try await update(id) { $0.job.isUploading = true } }
        let destination = UploadDestination(
            account: try await engine.account(for: .email),
            limit: try await connection.currentSession().maxFileSize
        )
        for file in document.text.files where file.blobID == nil {
            let hasBlob =
                try await file.isOnDevice
                ? upload(file, of: document, to: destination) : findOrRefuseBlob(of: file, document)
            guard hasBlob else { return }
        }
        try await update(id) { $0.job.isUploading = false }
    }

    /// The destination of uploads.
    private struct UploadDestination {
        let account: String
        /// The size of the largest file that the server allows; nil if it doesn't say.
        let limit: Int?
    }

    /// Uploads a file of this device.
    ///
    /// - Returns: False if that isn't possible, which the draft then says.
    private func upload(
        _ file: DraftText.File,
        of document: DraftDocument,
        to destination: UploadDestination
    ) async throws -> Bool {
        let id = document.id
        if let limit = destination.limit, file.size > limit {
            let problem = DraftProblem.fileTooLarge(name: file.name, size: file.size, limit: limit)
            try await note(file, of: id) { $0.cannotUpload(DraftRefusal(.tooLarge, problem.message)) }
            return false
        }
        guard let bytes = try await read(file, of: id) else { return false }
        defer { uploads.end(file.id, of: id) }
        guard let blobID = try await upload(bytes, of: file, document, account: destination.account) else {
            return false
        }
        try await update(id) { document in
            for index in document.text.files.indices where document.text.files[index].id == file.id {
                document.text.files[index].blobID = blobID
            }
        }
        return true
    }

    /// Reads a file of this device.
    ///
    /// - Returns: Nil if that isn't possible, which the draft then says.
    private func read(_ file: DraftText.File, of id: String) async throws -> Data? {
        do {
            return try files.read(file, of: id)
        } catch  where error.isLastingFileFailure {
            let text =
                "The file \(file.name) is missing or was changed on this device. Remove it, or attach it again."
            try await note(file, of: id) { $0.cannotUpload(DraftRefusal(.attachment, text)) }
            return nil
        } catch {
            let text = "The file \(file.name) can't be read on this device. Try again, or remove it."
            try await note(file, of: id) { [now, jitter] job in
                job.cannotRead(DraftRefusal(.attachment, text), at: now, jitter: jitter)
            }
            return nil
        }
    }

    /// Uploads the bytes of a file.
    ///
    /// - Returns: The id of its blob; nil if the server refuses the file, which the draft then says.
    private func upload(
        _ bytes: Data,
        of file: DraftText.File,
        _ document: DraftDocument,
        account: String
    ) async throws -> String? {
        let id = document.id
        // It is part of the request's header, and comes from the app or from another mail.
        let type = ComposedMail.Attachment(blobID: "", type: file.type, size: file.size).plainType
        do {
            return try await uploads.report(file.id, of: id, size: bytes.count) {
                try await connection.upload([UInt8](bytes), type: type, account: account)
            }
        } catch SyncError.status(let status, let retryAfter, let words) where [403, 507].contains(status) {
            // What is to be sent is tried again for a day.
            if case .send = document.job.order {
                throw SyncError.status(status, retryAfter: retryAfter, detail: words)
            }
            // Uploads have no errors of JMAP's methods (RFC 8620, section 6.1).
            let text = "The server doesn't take the file \(file.name). \(words ?? "")"
            let refusal = DraftRefusal(status == 507 ? .overQuota : .forbidden, text)
            try await note(file, of: id) { [now, jitter] job in
                if job.isSent {
                    return job.copyWasRefused(refusal, at: now, jitter: jitter)
                }
                job.cannotUpload(refusal, retryAt: now + DraftJob.saveRetryPause)
            }
            return nil
        } catch SyncError.method(let error) {
            // The server has a limit for one file.
            let text = "The file \(file.name) is larger than the server allows. \(error.description ?? "")"
            try await note(file, of: id) { $0.cannotUpload(DraftRefusal(.tooLarge, text)) }
            return nil
        }
    }

    /// Looks for a file of another mail, whose blob is gone.
    ///
    /// - Returns: False if the server doesn't have it any more, which the draft then says.
    private func findOrRefuseBlob(of file: DraftText.File, _ document: DraftDocument) async throws -> Bool {
        if try await findBlob(of: file, document) { return true }
        let text = "The server doesn't have the file \(file.name) any more. Remove it, or attach it again."
        try await note(file, of: document.id) { $0.cannotUpload(DraftRefusal(.attachment, text)) }
        return false
    }

    /// Records that a file isn't uploaded, unless the person has removed it since the upload of the files began: the
    /// text doesn't need it then.
    private func note(
        _ file: DraftText.File,
        of id: String,
        _ record: @Sendable (inout DraftJob) -> Void
    ) async throws {
        try await update(id) { document in
            guard document.text.files.contains(where: { $0.id == file.id && $0.blobID == nil }) else { return }
            record(&document.job)
        }
    }

    /// Looks for a file of another mail, whose blob is gone, among the versions of the draft: each has it once more.
    ///
    /// - Returns: Whether it was found.
    private func findBlob(of file: DraftText.File, _ document: DraftDocument) async throws -> Bool {
        let id = document.id
        let versions = try await search(try await requests(document), id, of: document.job).mails.map(\.id)
        let found = try await bodySource.files(of: versions)
        for version in versions {
            guard let files = found[version] else { continue }
            let isFound = try await update(id) { document in
                document.text.takeBlobs(of: files, version) { $0.id == file.id && $0.blobID == nil }
            }
            if isFound ?? true { return true }
        }
        return false
    }

    /// Keeps the files of a draft that may end with mails which are about to be destroyed.
    ///
    /// - Returns: Those of the mails that have to stay until the next version.
    func keepFiles(of document: DraftDocument, destroying ids: [String]) async throws -> [String] {
        guard let sources = DraftFileSources(of: document, destroying: ids) else { return [] }
        let found = try await bodySource.files(of: sources.mailsToRead)
        return try await update(document.id) { sources.apply(found, to: &$0) } ?? []
    }

    /// Forgets blobs that the server doesn't have any more, so that the files are uploaded again. If the server loses
    /// them each time, the draft can't be saved or sent as it is.
    ///
    /// - Parameter sent: The draft as the request had it. The person may have removed the files since.
    func forgetBlobs(_ blobs: [String], of sent: DraftDocument) async throws {
        try await update(sent.id) { [now, jitter] document in
            let uploaded = document.text.files.filter { $0.blobID != nil }
            let named = uploaded.filter { blobs.contains($0.blobID ?? "") }
            guard document.job.revision == sent.job.revision || !named.isEmpty else { return }
            // A server that names none, or others, may mean any of them.
            let lost = named.isEmpty ? uploaded : named
            let ids = lost.map(\.id)
            for index in document.text.files.indices where ids.contains(document.text.files[index].id) {
                document.text.files[index].blobID = nil
            }
            guard !document.job.lostUploads(of: ids, at: now, jitter: jitter) else { return }
            let names = lost.map(\.name).joined(separator: ", ")
            let text =
                lost.isEmpty
                ? "The server says that it lacks a file of the mail, which has none."
                : "The server doesn't keep \(names), though it was uploaded. Try again later, or remove it."
            document.job.cannotUpload(DraftRefusal(.attachment, text))
        }
    }

    /// Removes the files of drafts that are gone from this device.
    nonisolated func removeUnusedFiles() {
        Task { [store, files] in
            guard let ids = try? await store.read({ db in try db.deviceRecordIDs(.draft) }) else { return }
            files.removeOthers(than: Set(ids))
        }
    }
}

extension Error {
    /// Whether a file isn't there any more, or isn't the one that was attached. Others can be read later: a phone is
    /// locked, or too many files are open.
    fileprivate var isLastingFileFailure: Bool {
        switch self {
        case is DraftFiles.Changed: true
        case let error as CocoaError: [.fileNoSuchFile, .fileReadNoSuchFile].contains(error.code)
        default: (self as? POSIXError)?.code == .ENOENT
        }
    }
}
