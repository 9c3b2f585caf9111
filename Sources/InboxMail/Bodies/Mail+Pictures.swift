import Foundation

extension Mail {
    /// Returns the pictures of a mail that its HTML shows, and downloads those that aren't on this device, as
    /// ``download(_:progress:)`` does.
    ///
    /// A picture that can't be downloaded is left out, so that the mail can be read without a network
    /// (``CleanMail/missingPictures``). So are those beyond ``MailPictures/maxTotalSize``.
    ///
    /// - Parameters:
    ///   - body: The mail.
    ///   - loadsRemote: Whether pictures are loaded from the web (``MailPictures/loadsRemote``).
    /// - Throws: `MailError`: `storage`, `diskFull`, `closed`. `CancellationError` when the task is cancelled.
    @concurrent
    public func pictures(of body: MailBody, loadsRemote: Bool = false) async throws -> MailPictures {
        var pictures = MailPictures(loadsRemote: loadsRemote)
        var total = 0
        for file in body.shownFiles where file.size <= MailPictures.maxTotalSize - total {
            do {
                let bytes = try Data(contentsOf: try await download(file))
                guard bytes.count <= MailPictures.maxTotalSize - total else { continue }
                total += bytes.count
                pictures.files[file.blobID] = bytes
            } catch let error as MailError where ![.storage, .diskFull, .closed].contains(error.code) {
                continue
            } catch is CocoaError {
                // The file was deleted meanwhile, because the budget was exceeded.
                continue
            }
        }
        return pictures
    }
}
