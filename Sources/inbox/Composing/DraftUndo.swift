import Foundation
import InboxMail

/// The means to undo the changes of a draft.
struct DraftUndo {
    let original: MailDraft
    /// The bytes of the files that only this device has, by their ids.
    private var files: [String: Data] = [:]

    /// - Parameter draft: The draft, before changes that remove none of its files.
    init(of draft: MailDraft) { original = draft }

    /// - Parameter draft: The draft, before any changes.
    init(of draft: MailDraft, in mail: Mail) async throws {
        original = draft
        for file in draft.attachments where !file.isUploaded {
            files[file.id] = try? await mail.contents(of: file, inDraft: draft.id)
        }
    }

    /// Saves the draft as it was.
    ///
    /// - Parameter last: The draft as last saved, which is undone.
    /// - Throws: ``Failure`` if another window or device has changed the draft since. Nothing is undone then.
    func run(_ last: MailDraft, in mail: Mail) async throws {
        guard let current = try await mail.draft(id: original.id), current.isSameStored(as: last) else {
            throw Failure(
                "The draft was changed in another window or on another device since. Nothing was undone. "
                    + "To see it: inbox mail drafts \(original.shortID)"
            )
        }
        var restored = try await mail.save(original, waitsForChanges: false)
        for file in original.attachments {
            // The copy of a file that was removed is gone.
            guard let bytes = files[file.id], (try? await mail.contents(of: file, inDraft: original.id)) == nil
            else { continue }
            restored = try await mail.removeAttachment(file.id, from: restored)
            restored = try await mail.attach(
                bytes,
                named: file.name,
                to: restored,
                type: file.type,
                contentID: file.contentID
            )
        }
        // The undone text isn't another version of the draft.
        if let undone = last.replacedID, restored.otherVersions.contains(where: { $0.id == undone }) {
            try await mail.discardVersion(undone, of: original.id)
        }
    }
}
