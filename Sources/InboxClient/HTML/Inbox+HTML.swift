public import HTMLCleaning
import InboxModel
import Replica

extension Inbox {
    /// Returns a message's HTML for a screen: cleaned, with its pictures in it.
    ///
    /// Pictures and backgrounds from the web are fetched once, stored beside the message and deleted with it, so that
    /// the message is complete without a network. A request for a picture carries no token, cookie, referrer or name
    /// of the person. Tracking pixels aren't fetched.
    ///
    /// A picture that can't be loaded is a placeholder, never an error, and is tried again later. The limits are
    /// 5 MiB and 10 s for a picture, and 20 MiB and 100 addresses for a message; 4 pictures are fetched at a time, and
    /// none begins after 20 s. Pictures from this machine and its networks aren't fetched, nor other files than PNG,
    /// JPEG, GIF, WebP, AVIF and BMP.
    ///
    /// A screen first calls it with `fetchesPictures` set to false, which doesn't wait for the network, and calls it
    /// again if pictures are missing (``MessageHTML/missingPictureCount``).
    ///
    /// - Parameters:
    ///   - id: The message's id.
    ///   - medium: The view that the message's style sheets are applied for. Different ones can have different
    ///     pictures.
    ///   - fetchesPictures: Whether pictures that aren't on this device are fetched.
    /// - Returns: Nil if this device doesn't have the message, or if the message has no HTML.
    /// - Throws: ``InboxError``: `storage`, `closed`. `CancellationError` when the task is cancelled.
    @concurrent
    public func html(
        of id: String,
        medium: HTMLMedium = HTMLMedium(),
        fetchesPictures: Bool = true
    ) async throws -> MessageHTML? {
        guard let message = try await message(id: id), let html = message.html, !html.isEmpty else { return nil }
        do {
            try checkOpen()
            let pictures = try await open.pictures.pictures(of: id, html, medium: medium, fetches: fetchesPictures)
            try checkOpen()
            return MessageHTML(html, title: message.title, medium: medium, pictures: pictures)
        } catch {
            throw InboxError.wrapping(error)
        }
    }
}
