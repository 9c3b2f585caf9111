public import Foundation
import InboxMail

/// Attaching and removing files.
extension ComposeModel {
    /// Attaches a file, which is copied. Its upload begins when the draft is saved on the server.
    ///
    /// - Parameters:
    ///   - url: The file. On Apple's systems it may be outside of the app's container, as a file importer returns it.
    ///   - type: The media type; nil for one that follows from the file's name.
    public func attach(_ url: URL, type: String? = nil) async {
        await attach(named: url.lastPathComponent) { [mail] editor in
            #if canImport(Darwin)
                let isScoped = url.startAccessingSecurityScopedResource()
                defer { if isScoped { url.stopAccessingSecurityScopedResource() } }
            #endif
            if let problem = try await mail.sizeProblem(of: url) { return problem }
            try await editor.attach(url, type: type)
            return nil
        }
    }

    /// Attaches bytes as a file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - name: The file's name.
    ///   - type: The media type; nil for one that follows from the name.
    public func attach(_ bytes: Data, named name: String, type: String? = nil) async {
        await attach(named: name) { [mail] editor in
            if let problem = try await mail.sizeProblem(ofFile: name, size: bytes.count) { return problem }
            try await editor.attach(bytes, named: name, type: type)
            return nil
        }
    }

    private func attach(named name: String, _ body: (DraftEditor) async throws -> DraftProblem?) async {
        guard let editor, phase == .writing else { return }
        attachingCount += 1
        defer { attachingCount -= 1 }
        do {
            if let problem = try await body(editor) {
                failure = .fileTooLarge(problem)
                return
            }
            (isTouched, isClosed, failure) = (true, false, nil)
        } catch {
            failure = .attaching(name: name, MailError(error))
        }
    }

    /// Removes a file.
    public func remove(_ attachment: ComposeAttachment) async {
        guard let editor, phase == .writing else { return }
        do {
            try await editor.removeAttachment(attachment.id)
            failure = nil
        } catch {
            failure = .saving(MailError(error))
        }
    }
}
