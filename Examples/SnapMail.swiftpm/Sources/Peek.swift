import Foundation
import InboxMail
import Observation

/// The look at a snap: its picture while the finger is down. Before it is shown, the snap is moved to the trash, on all
/// devices: it isn't shown a second time, even if the app ends now.
@MainActor
@Observable
final class Peek {
    /// The picture that is on screen; nil for none.
    private(set) var picture: URL?
    private var failures: [String: String] = [:]
    private var pressed: String?
    private let mail: Mail

    init(_ mail: Mail) { self.mail = mail }

    func text(of snap: MailThread) -> String { failures[snap.id] ?? "Press and hold to look" }

    func begin(_ snap: MailThread) {
        (pressed, failures[snap.id]) = (snap.id, nil)
        Task {
            do {
                guard let file = try await Snap.picture(of: snap, in: mail) else {
                    failures[snap.id] = "There is no picture in it"
                    return
                }
                let url = try await mail.download(file)
                // A finger that was lifted meanwhile has seen nothing, and the snap stays.
                guard pressed == snap.id else { return }
                try await mail.trash(thread: snap.id)
                if pressed == snap.id { picture = url }
            } catch {
                failures[snap.id] = error.localizedDescription
            }
        }
    }

    func end() { (pressed, picture) = (nil, nil) }
}
