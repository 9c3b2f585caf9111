public import Foundation
import Groundwork
import JMAP
import Replica

extension Mail {
    /// The progress of a download.
    public struct FileProgress: Hashable, Sendable {
        /// The number of bytes received.
        public let received: Int
        /// The size of the file in bytes, as announced by the server, or else as stated by the mail.
        public let total: Int
    }

    /// Returns the URL of a file on this device, and downloads it if necessary. A downloaded file is kept within the
    /// budget.
    ///
    /// An interrupted download resumes if the server supports it. Concurrent calls for the same file share one
    /// download, which ends when all of them are cancelled.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - progress: Called as bytes arrive, off the caller's thread.
    /// - Returns: The file's URL. The file may be deleted when the budget is exceeded
    ///   (``MailConfiguration/fileBudget``): copy it to keep it.
    /// - Throws: `MailError`: `notConnected`, `timedOut` and others if the server can't be reached; `invalidAnswer` if
    ///   the size differs from the announced one, or from the mail's if none is announced; `storage`, `diskFull`,
    ///   `closed`. `CancellationError` when the task is cancelled.
    @concurrent
    public func download(
        _ file: MailFile,
        progress: (@Sendable (FileProgress) -> Void)? = nil
    ) async throws -> URL {
        guard !isClosed, !store.isClosed else { throw MailError.wrapping(StoreError.closed) }
        do {
            return try await files.file(file, progress)
        } catch let error as CocoaError {
            let isFull = error.code == .fileWriteOutOfSpace
            throw MailError(isFull ? .diskFull : .storage, "The file can't be stored: \(error.fileReason).")
        } catch let error as TransportError {
            throw MailError.wrapping(SyncError.transport(error))
        } catch {
            throw MailError.wrapping(error)
        }
    }

    /// Returns the URL of a file on this device; nil if it would have to be downloaded.
    public func storedFile(_ file: MailFile) -> URL? { files.stored(file) }
}
