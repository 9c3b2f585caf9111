public import Foundation
import Groundwork
import HTMLCleaning

/// The pictures that a mail is shown with.
public struct MailPictures: Sendable {
    /// The bytes of the mail's own pictures by ``MailFile/blobID``. ``Mail/pictures(of:in:medium:fetchesRemote:)``
    /// returns them.
    public var files: [String: Data]
    /// Whether the view loads pictures from the web by itself. Such a request reveals to the sender when and where a
    /// mail is read. False by default: set it if the person has allowed it for this mail or its sender.
    public var loadsRemote: Bool
    /// The bytes of pictures from the web by address, which this device has fetched. Nil if the person hasn't allowed
    /// them (``RemotePicturePermission``).
    public internal(set) var remote: [String: Data]?

    /// The maximum size of a mail's own pictures that are shown within it, in bytes. The further ones are left out.
    public static let maxTotalSize = 16 << 20
    /// The maximum size of the pictures from the web that are shown within a mail, in bytes. A picture that is shown
    /// twice counts twice. The further ones are left out.
    public static let maxRemoteSize = 20 << 20

    /// Creates the pictures of a mail.
    ///
    /// - Parameters:
    ///   - files: The bytes of the mail's own pictures by ``MailFile/blobID``.
    ///   - loadsRemote: Whether the view loads pictures from the web by itself.
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
    private var remainingRemoteBytes = MailPictures.maxRemoteSize
    /// The number of pictures on the web that the person hasn't allowed.
    private(set) var blockedCount = 0
    /// The number of pictures on the web that are allowed and aren't on this device.
    private(set) var missingRemoteCount = 0
    /// The addresses of the pictures on the web, each once, in document order.
    private(set) var remoteAddresses: [String] = []
    private var knownAddresses: Set<String> = []
    /// The mail's own pictures that are missing, each once.
    private(set) var missing: [MailFile] = []
    private var knownMissing: Set<MailFile> = []

    init(_ pictures: MailPictures, of body: MailBody) {
        self.pictures = pictures
        files = body.filesByContentID
    }

    mutating func decision(_ picture: HTMLPicture) -> HTMLPicture.Decision {
        guard let id = MailBody.contentID(in: picture.url) else { return remoteDecision(picture.url) }
        guard let file = files[id] else { return .placeholder }
        guard let bytes = pictures.files[file.blobID], let type = PictureType(of: bytes), bytes.count <= remainingBytes
        else {
            if knownMissing.insert(file).inserted { missing.append(file) }
            return .placeholder
        }
        // Hostile HTML could show one picture a thousand times.
        remainingBytes -= bytes.count
        return Self.inlined(bytes, type)
    }

    private mutating func remoteDecision(_ address: String) -> HTMLPicture.Decision {
        if knownAddresses.insert(address).inserted, PictureAddress.url(address) != nil {
            remoteAddresses.append(address)
        }
        if pictures.loadsRemote { return .keep }
        guard let remote = pictures.remote else {
            blockedCount += 1
            return .placeholder
        }
        guard let bytes = remote[address], let type = PictureType(of: bytes), bytes.count <= remainingRemoteBytes else {
            missingRemoteCount += 1
            return .placeholder
        }
        remainingRemoteBytes -= bytes.count
        return Self.inlined(bytes, type)
    }

    private static func inlined(_ bytes: Data, _ type: PictureType) -> HTMLPicture.Decision {
        .replace("data:\(type.mediaType);base64,\(bytes.base64EncodedString())")
    }
}
