public import Foundation
public import InboxMail

/// A file of a mail.
public struct INFile: Sendable {
    /// The file in `InboxMail`.
    public let value: MailFile
    private let mail: Mail

    init(_ value: MailFile, _ mail: Mail) {
        self.value = value
        self.mail = mail
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The server's id of the bytes.
    public var ID: String { value.id }
    /// The name, without folders; nil if there is none.
    public var filename: String? { value.name }
    /// The media type, as the mail states it.
    public var mimetype: String { value.type }
    /// The size in bytes.
    public var size: Int { value.size }
    /// The path on this device; nil if the file would have to be downloaded.
    public var localDataPath: String? { mail.storedFile(value)?.path }

    /// Returns the contents, and downloads them if they aren't on this device.
    ///
    /// - Throws: As `Mail.download(_:progress:)`.
    @concurrent
    public func data() async throws -> Data { try Data(contentsOf: try await mail.download(value)) }

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
}
