import Foundation
package import Groundwork
import LinePrograms

/// A recipient's program, which reads the mails of a folder strictly: Python's imaplib and email, in `read_mails.py`.
package final class MailReader: Sendable {
    private let program: LineProcess

    init(port: Int, user: MailServer.User) throws {
        let script = MailServer.repository.appending(path: "Tests/RunningMailServer/read_mails.py")
        program = try LineProcess([
            "python3", script.path(percentEncoded: false), "\(port)", user.name, user.password,
        ])
    }

    /// Returns the mails of a folder, as `read_mails.py` describes them.
    ///
    /// - Parameter uid: The UID after which they come.
    package func mails(in folder: String, after uid: Int = 0) async throws -> [JSON] {
        let request: JSON = ["do": "read", "folder": .string(folder), "after": JSON(uid)]
        return try await program.answer(to: request.utf8)["mails"]?.arrayValue ?? []
    }
}

extension MailServer {
    /// Returns a reader of a user's mails.
    package func reader(_ user: String = "alice") throws -> MailReader {
        guard let user = users[user] else { throw Failure("no such user: \(user)") }
        return try MailReader(port: imapPort, user: user)
    }
}
