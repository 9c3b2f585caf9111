public import Foundation
import HTMLCleaning

/// The pictures that a mail is shown with.
public struct MailPictures: Sendable {
    /// The bytes of the mail's own pictures by ``MailFile/blobID``. ``Mail/pictures(of:loadsRemote:)`` returns them.
    public var files: [String: Data]
    /// Whether pictures are loaded from the web. The sender learns by them when and where a mail is read, so it is
    /// false by default: set it where the person has allowed it for this mail, or for its sender.
    public var loadsRemote: Bool

    /// The maximum size of the pictures of a mail that are shown within it, in bytes. The further ones are left out.
    public static let maxTotalSize = 16 << 20

    /// Creates the pictures of a mail.
    ///
    /// - Parameters:
    ///   - files: The bytes of the mail's own pictures by ``MailFile/blobID``.
    ///   - loadsRemote: Whether pictures are loaded from the web.
    public init(files: [String: Data] = [:], loadsRemote: Bool = false) {
        self.files = files
        self.loadsRemote = loadsRemote
    }
}

/// Decides about the pictures of one mail.
struct PictureDecisions {
    private let pictures: MailPictures
    /// The mail's files by their content ids.
    private let files: [String: MailFile]
    private var remainingBytes = MailPictures.maxTotalSize
    /// The number of pictures on the web that aren't loaded.
    private(set) var blockedCount = 0
    /// The mail's own pictures that are missing, each once.
    private(set) var missing: [MailFile] = []

    init(_ pictures: MailPictures, of body: MailBody) {
        self.pictures = pictures
        files = body.filesByContentID
    }

    mutating func decision(_ picture: HTMLPicture) -> HTMLPicture.Decision {
        guard let id = MailBody.contentID(in: picture.url) else {
            if pictures.loadsRemote { return .keep }
            blockedCount += 1
            return .placeholder
        }
        guard let file = files[id] else { return .placeholder }
        guard let bytes = pictures.files[file.blobID], let type = Self.type(of: bytes), bytes.count <= remainingBytes
        else {
            if !missing.contains(file) { missing.append(file) }
            return .placeholder
        }
        // Hostile HTML could show one picture a thousand times.
        remainingBytes -= bytes.count
        return .replace("data:\(type);base64,\(bytes.base64EncodedString())")
    }

    /// Returns the media type of a picture by its first bytes, or nil for one that isn't shown. What the mail states
    /// can be wrong.
    static func type(of bytes: Data) -> String? {
        let start = Array(bytes.prefix(16))
        func has(_ text: String, at index: Int = 0) -> Bool { start.dropFirst(index).starts(with: text.utf8) }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if has("GIF87a") || has("GIF89a") { return "image/gif" }
        if has("RIFF"), has("WEBP", at: 8) { return "image/webp" }
        if has("ftypavif", at: 4) || has("ftypavis", at: 4) { return "image/avif" }
        return has("BM") ? "image/bmp" : nil
    }
}
