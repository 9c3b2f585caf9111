public import Foundation
import InboxMail
import Replica

/// Attaching and removing files.
extension ComposeModel {
    /// Attaches a file, which is copied. Its upload begins when the draft is saved on the server.
    ///
    /// - Parameters:
    ///   - url: The file. On Apple's systems it may be outside of the app's container, as a file importer returns it.
    ///   - type: The media type; nil for one that follows from the file's name.
    public func attach(_ url: URL, type: String? = nil) async { await attach([.file(url)], type: type) }

    /// Attaches files, one after the other. ``failure`` is that of the first one that isn't attached.
    public func attach(_ urls: [URL]) async { await attach(urls.map(NewFile.file), type: nil) }

    /// Attaches bytes as a file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - name: The file's name.
    ///   - type: The media type; nil for one that follows from the name.
    public func attach(_ bytes: Data, named name: String, type: String? = nil) async {
        await attach([.bytes(bytes, name: name)], type: type)
    }

    /// A file to be attached.
    private enum NewFile {
        case file(URL)
        case bytes(Data, name: String)

        var name: String {
            switch self {
            case .file(let url): url.lastPathComponent
            case .bytes(_, let name): name
            }
        }
    }

    private func attach(_ files: [NewFile], type: String?) async {
        guard editor != nil, phase == .writing, !files.isEmpty else { return }
        if attachingCount == 0 { attachingFailure = nil }
        attachingCount += files.count
        let (before, restores) = (attaching, isDiscardedElsewhere)
        let task = Task {
            await before?.value
            for file in files {
                let failure = await attach(file, type: type, restores: restores)
                attachingFailure = attachingFailure ?? failure
                self.failure = attachingFailure
                attachingCount -= 1
            }
        }
        attaching = task
        await task.value
    }

    private func attach(_ file: NewFile, type: String?, restores: Bool) async -> ComposeFailure? {
        do {
            switch file {
            case .file(let url):
                #if canImport(Darwin)
                    let isScoped = url.startAccessingSecurityScopedResource()
                    defer { if isScoped { url.stopAccessingSecurityScopedResource() } }
                #endif
                if let problem = try await mail.sizeProblem(of: url) { return .fileTooLarge(problem) }
                guard let editor = try editorForFile(restores: restores) else { return nil }
                try await editor.attach(url, type: type)
            case .bytes(let bytes, let name):
                if let problem = try await mail.sizeProblem(ofFile: name, size: bytes.count) {
                    return .fileTooLarge(problem)
                }
                guard let editor = try editorForFile(restores: restores) else { return nil }
                try await editor.attach(bytes, named: name, type: type)
            }
            wasChanged()
            return nil
        } catch {
            return .attaching(name: file.name, MailError(error))
        }
    }

    /// Returns the editor for a file that was chosen before; nil if the mail was discarded here meanwhile: with the
    /// file, it would be a draft again.
    ///
    /// - Parameter restores: Whether the draft had been discarded elsewhere when the file was chosen.
    /// - Throws: `MailError` `invalidArgument` if the mail is on its way, or was discarded elsewhere meanwhile.
    private func editorForFile(restores: Bool) throws -> DraftEditor? {
        guard phase != .discarded else { return nil }
        guard phase == .writing, restores || !isDiscardedElsewhere else {
            throw MailError(.invalidArgument, "The mail was sent or discarded meanwhile.")
        }
        return editor
    }

    /// Waits for the files that are being attached.
    ///
    /// - Returns: Whether all of them are attached. If not, ``failure`` has the reason.
    func endAttaching() async -> Bool {
        guard attachingCount > 0 else { return true }
        while attachingCount > 0 { await attaching?.value }
        return attachingFailure == nil
    }

    /// Removes a file.
    public func remove(_ attachment: ComposeAttachment) async {
        guard let editor, phase == .writing else { return }
        do {
            try await editor.removeAttachment(attachment.id)
            wasChanged()
            failure = nil
        } catch {
            failure = .saving(MailError(error))
        }
    }
}
