import Foundation
public import HTMLCleaning
import Replica

extension Mail {
    /// Returns the pictures of a mail: its own files, as ``pictures(of:loadsRemote:)`` does, and those on the web if
    /// the person has allowed them (``allowsRemotePictures(of:)``).
    ///
    /// Pictures from the web are fetched once, stored beside the mail and deleted with it. A request carries no token,
    /// cookie, referrer or name of the person. But its address may name the recipient, and its time and network address
    /// show when and where the mail is read: hence the permission. Tracking pixels aren't fetched.
    ///
    /// A picture that can't be loaded is left out (``CleanMail/missingRemotePictureCount``) and tried again later. The
    /// limits are 5 MiB and 10 s for a picture, and 20 MiB and 100 addresses for a mail; 4 pictures are fetched at a
    /// time, and none begins after 20 s. Pictures from this machine and its networks aren't fetched, nor other files
    /// than PNG, JPEG, GIF, WebP, AVIF and BMP.
    ///
    /// - Parameters:
    ///   - body: The mail's body.
    ///   - message: The mail.
    ///   - medium: The view that the mail is shown in, as for ``MailBody/cleaned(title:language:pictures:medium:)``.
    ///   - fetchesRemote: Whether pictures on the web that aren't on this device are fetched.
    /// - Throws: `MailError`: `storage`, `diskFull`, `closed`. `CancellationError` when the task is cancelled.
    @concurrent
    public func pictures(
        of body: MailBody,
        in message: MailMessage,
        medium: HTMLMedium = HTMLMedium(),
        fetchesRemote: Bool = true
    ) async throws -> MailPictures {
        var pictures = try await pictures(of: body)
        guard try await allowsRemotePictures(of: message) else { return pictures }
        do {
            try checkOpen()
            pictures.remote = try await open.pictures.pictures(
                body.remoteAddresses(medium),
                of: .email,
                id: message.id,
                fetches: fetchesRemote
            )
            try checkOpen()
        } catch {
            throw MailError.wrapping(error)
        }
        return pictures
    }

    /// Returns the pictures of a mail that its HTML shows, and downloads those that aren't on this device, as
    /// ``download(_:progress:)`` does.
    ///
    /// A picture that can't be downloaded is left out, so that the mail can be read without a network
    /// (``CleanMail/missingPictures``). So are those beyond ``MailPictures/maxTotalSize``.
    ///
    /// - Parameters:
    ///   - body: The mail.
    ///   - loadsRemote: Whether the view loads pictures from the web by itself (``MailPictures/loadsRemote``).
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
