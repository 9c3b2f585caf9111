public import Foundation
import Groundwork
import JMAP
import Replica

extension Mail {
    /// How much of a file is there.
    public struct FileProgress: Hashable, Sendable {
        /// In bytes.
        public let received: Int
        /// In bytes; what the mail says.
        public let total: Int
    }

    /// A file on this device: as it is here, else from the server, after which it stays here within the budget.
    ///
    /// One that is broken off goes on where it was, where the server can do that. Calls for the same file share one
    /// download, which ends when all of them are cancelled.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - progress: Called as bytes arrive, not on the caller's thread.
    /// - Returns: Where it is. It may go when the budget is full (``MailConfiguration/fileBudget``): copy it to keep
    ///   it.
    /// - Throws: `MailError`: `notConnected`, `timedOut` and others where the server can't be asked, `invalidAnswer`
    ///   where it sends less or more than it announced, or than the mail says where it announced nothing, `storage`,
    ///   `diskFull`, `closed`. `CancellationError` when the task is cancelled.
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
            throw MailError(isFull ? .diskFull : .storage, "The file can't be kept: \(error.localizedDescription)")
        } catch let error as TransportError {
            throw MailError.wrapping(SyncError.transport(error))
        } catch {
            throw MailError.wrapping(error)
        }
    }

    /// Where a file is on this device; nil where it would have to be downloaded.
    public func storedFile(_ file: MailFile) -> URL? { files.stored(file) }
}
