public import Foundation
public import InboxMail

/// A file that came with a mail.
public struct INFile: Sendable {
    /// The file as the mail has it.
    public let value: MailFile
    private let mail: Mail

    init(_ value: MailFile, _ mail: Mail) {
        self.value = value
        self.mail = mail
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The server's id of its bytes.
    public var ID: String { value.id }
    /// Its name, without folders; nil where it has none.
    public var filename: String? { value.name }
    /// Its media type, as the mail says it.
    public var mimetype: String { value.type }
    /// In bytes.
    public var size: Int { value.size }
    /// Where it is on this device; nil where it would have to be downloaded.
    public var localDataPath: String? { mail.storedFile(value)?.path }

    /// What is in it: from this device, else from the server.
    ///
    /// - Throws: As `Mail.download(_:progress:)`.
    @concurrent
    public func data() async throws -> Data { try Data(contentsOf: try await mail.download(value)) }

    /// Gives what is in it, or the error.
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
