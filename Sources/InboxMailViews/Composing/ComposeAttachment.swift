public import InboxMail

/// A file of a mail that is being written.
public struct ComposeAttachment: Hashable, Identifiable, Sendable {
    /// The place of the file's bytes.
    public enum State: Hashable, Sendable {
        /// On this device. They are uploaded when the draft is saved on the server.
        case waiting
        /// On their way to the server: the fraction that is sent, from 0 to 1.
        case uploading(Double)
        /// On the server.
        case uploaded
    }

    /// The file.
    public let file: DraftAttachment
    /// The place of its bytes.
    public let state: State

    /// The id within the draft.
    public var id: String { file.id }
    /// The file's name.
    public var name: String { file.name }
    /// The size in bytes.
    public var size: Int { file.size }

    /// - Parameters:
    ///   - isUploaded: Whether the server has the bytes, according to the stored draft.
    ///   - progress: The fraction of bytes that is sent; nil if no upload is under way.
    init(_ file: DraftAttachment, isUploaded: Bool, progress: Double?) {
        self.file = file
        state = isUploaded || file.isUploaded ? .uploaded : progress.map(State.uploading) ?? .waiting
    }
}
