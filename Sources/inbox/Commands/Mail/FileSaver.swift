import Foundation
import Groundwork
import InboxMail

/// Saves attachments of mails in a folder, with a progress bar at a terminal.
struct FileSaver {
    let folder: URL

    /// Saves files of a mail in the folder, under names that aren't in use there.
    ///
    /// - Throws: `CocoaError` if the folder can't be written; `InboxError`.
    func save(_ files: [MailFile], from mail: Mail) async throws {
        guard !files.isEmpty else { return Output.note("inbox: There are no files to save.") }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in files {
            let downloaded = try await download(file, from: mail)
            let name = FileName.unused(for: file) { name in
                FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
            }
            // Fails if another file was created with this name meanwhile.
            try FileManager.default.copyItem(at: downloaded, to: folder.appendingPathComponent(name))
            Output.note("Saved \(name.isolated) (\(ByteCount.text(file.size))).")
        }
    }

    private func download(_ file: MailFile, from mail: Mail) async throws -> URL {
        guard Terminal.showsNotes else { return try await mail.download(file) }
        let name = FileName.shown(file).cut(to: 30).isolated
        let bar = Locked(
            ProgressBar(total: file.size) { "\(ByteCount.text($0)) of \(ByteCount.text($1))  \(name)" }
        )
        defer { bar.withLock { $0.clear() } }
        return try await mail.download(file) { progress in
            bar.withLock { $0.update(to: progress.received, of: progress.total) }
        }
    }
}
