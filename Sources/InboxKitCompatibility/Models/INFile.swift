public import Foundation
public import InboxMail

/// A file: of a mail, of a draft, or one that is to be attached to a draft.
public struct INFile: Sendable {
    private enum Source: Sendable {
        case mail(MailFile, Mail)
        case draft(DraftAttachment, draftID: String, Mail, progress: Double)
        case new(id: String, name: String, type: String, bytes: Data)
        case local(id: String, URL)
    }

    private let source: Source

    init(_ value: MailFile, _ mail: Mail) { source = .mail(value, mail) }

    /// - Parameter progress: The fraction of bytes that is sent, if the upload is under way.
    init(_ attachment: DraftAttachment, ofDraft id: String, _ mail: Mail, progress: Double?) {
        let progress = attachment.isUploaded ? 1 : progress ?? 0
        source = .draft(attachment, draftID: id, mail, progress: progress)
    }

    /// Creates a file that is to be attached to a draft (``INDraft/addAttachment(_:)``), from bytes.
    ///
    /// - Parameters:
    ///   - filename: The name to show.
    ///   - mimetype: The media type, such as `image/jpeg`.
    ///   - data: The bytes.
    public init(filename: String, mimetype: String, data: Data) {
        source = .new(id: UUID().uuidString, name: filename, type: mimetype, bytes: data)
    }

    /// Creates a file that is to be attached to a draft (``INDraft/addAttachment(_:)``), from a file on this device. It
    /// is copied when it is attached.
    public init(contentsOf url: URL) { source = .local(id: UUID().uuidString, url) }

    /// The file of a mail in `InboxMail`; nil for the file of a draft, and for one that is to be attached.
    public var value: MailFile? { if case .mail(let file, _) = source { file } else { nil } }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The server's id of the bytes; for a file of a draft, its id in the draft; for a new file, an id of its own.
    public var ID: String {
        switch source {
        case .mail(let file, _): file.id
        case .draft(let file, _, _, _): file.id
        case .new(let id, _, _, _), .local(let id, _): id
        }
    }

    /// The name, without folders; nil if there is none.
    public var filename: String? {
        switch source {
        case .mail(let file, _): file.name
        case .draft(let file, _, _, _): file.name
        case .new(_, let name, _, _): name
        case .local(_, let url): url.lastPathComponent
        }
    }

    /// The media type, as the mail states it; nil for a new file whose type follows from its name.
    public var mimetype: String? {
        switch source {
        case .mail(let file, _): file.type
        case .draft(let file, _, _, _): file.type
        case .new(_, _, let type, _): type
        case .local: nil
        }
    }

    /// The size in bytes; 0 for a new file that can't be read.
    public var size: Int {
        switch source {
        case .mail(let file, _): file.size
        case .draft(let file, _, _, _): file.size
        case .new(_, _, _, let bytes): bytes.count
        case .local(_, let url): (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        }
    }

    /// The fraction of the bytes that is on the server, from 0 to 1.
    ///
    /// A draft's files are uploaded by themselves, some seconds after its last change or when it is sent. Read it from
    /// ``INDraft/files`` whenever the draft posts a change.
    public var uploadProgress: Double {
        switch source {
        case .mail: 1
        case .draft(_, _, _, let progress): progress
        case .new, .local: 0
        }
    }

    /// The path on this device; nil if the file would have to be downloaded, and for files of drafts.
    public var localDataPath: String? {
        switch source {
        case .mail(let file, let mail): mail.storedFile(file)?.path
        case .local(_, let url): url.path
        case .draft, .new: nil
        }
    }

    /// Returns the contents, and downloads them if they aren't on this device.
    ///
    /// - Throws: As `Mail.download(_:progress:)`.
    @concurrent
    public func data() async throws -> Data {
        switch source {
        case .mail(let file, let mail): try Data(contentsOf: try await mail.download(file))
        case .draft(let file, let draft, let mail, _): try await mail.contents(of: file, inDraft: draft)
        case .new(_, _, _, let bytes): bytes
        case .local(_, let url): try Data(contentsOf: url)
        }
    }

    /// Reports the contents, or the error.
    @MainActor
    public func getData(callback: @escaping @MainActor ((any Error)?, Data?) -> Void) {
        Task {
            do {
                callback(nil, try await data())
            } catch {
                callback(error, nil)
            }
        }
    }

    /// Attaches the file to a draft.
    func attach(to draft: MailDraft, _ mail: Mail) async throws -> MailDraft {
        switch source {
        case .local(_, let url): return try await mail.attach(url, to: draft)
        case .new(_, let name, let type, let bytes):
            return try await mail.attach(bytes, named: name, to: draft, type: type)
        case .mail(let file, _):
            // A mail within a mail often has no name, and only the name says what it is.
            let name = MediaType.fileName(of: file)
            return try await mail.attach(try await data(), named: name, to: draft, type: file.type)
        case .draft(let file, _, _, _):
            return try await mail.attach(try await data(), named: file.name, to: draft, type: file.type)
        }
    }
}
