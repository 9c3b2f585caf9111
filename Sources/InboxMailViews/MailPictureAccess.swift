public import HTMLCleaning
public import InboxMail

/// The access of a ``MailBodyModel`` to a mail's pictures, and the person's permission for those on the web.
public struct MailPictureAccess: Sendable {
    /// The permission that a person gives.
    public enum Permission: Hashable, Sendable, CaseIterable {
        /// The pictures of this mail.
        case mail
        /// The pictures of all mails of its sender.
        case sender
    }

    /// Returns the pictures of a mail for a medium: its own ones, and those on the web if they are allowed. Where the
    /// last argument is true, missing ones are fetched from the web. A picture that can't be loaded is left out.
    public typealias Loading = @Sendable (MailBody, MailMessage, HTMLMedium, Bool) async throws -> MailPictures
    /// Stores a permission.
    public typealias Allowing = @Sendable (Permission, MailMessage) async throws -> Void

    let load: Loading
    let allow: Allowing?

    /// Creates an access.
    ///
    /// - Parameters:
    ///   - load: Loads the pictures.
    ///   - allow: Stores a permission, before the pictures are loaded again. Nil if pictures on the web are never
    ///     shown.
    public init(load: @escaping Loading, allow: Allowing?) {
        self.load = load
        self.allow = allow
    }

    /// The pictures of an account's mails, and the permissions that it stores (`RemotePicturePermission`).
    ///
    /// A permission for the sender doesn't hold for a mail of several authors, or for junk. There it is stored for the
    /// mail, too, so that its pictures are shown as the person expects.
    public init(_ mail: Mail) {
        self.init { body, message, medium, fetches in
            try await mail.pictures(of: body, in: message, medium: medium, fetchesRemote: fetches)
        } allow: { permission, message in
            if permission == .sender, let sender = message.from.first {
                try await mail.allowRemotePictures(.sender(address: sender.email))
            }
            if try await !mail.allowsRemotePictures(of: message) {
                try await mail.allowRemotePictures(.mail(id: message.id))
            }
        }
    }
}
