public import Foundation
public import InboxMail
public import Observation
import InboxViews

/// A file of a mail on screen: its download, and its preview once it is on the device.
@MainActor
@Observable
public final class MailFileModel: Identifiable {
    /// The state of a file.
    public enum State {
        /// The file isn't on the device.
        case remote
        /// The file is being downloaded: the fraction that has arrived, from 0 to 1.
        case downloading(Double)
        /// The file is on the device.
        case stored(URL)
        /// The file couldn't be downloaded. ``MailFileModel/download()`` tries it again.
        case failed(any Error)

        /// The place of the file, if it is on the device.
        public var url: URL? { if case .stored(let url) = self { url } else { nil } }
    }

    /// The file.
    public nonisolated let file: MailFile
    /// The state of the file.
    public private(set) var state: State
    /// The file whose preview is shown; nil for none. A view presents it, and sets it to nil when it is closed.
    public var preview: URL?

    @ObservationIgnored private let mail: Mail
    @ObservationIgnored private let downloading = OwnedTask()

    /// Creates a model of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - mail: The account.
    public init(_ file: MailFile, in mail: Mail) {
        (self.file, self.mail) = (file, mail)
        state = mail.storedFile(file).map(State.stored) ?? .remote
    }

    /// The bytes and the name.
    public nonisolated var id: String { "\(file.blobID) \(file.name ?? "")" }

    /// Whether the file may be previewed in the app. False for a document that can run scripts or load other resources:
    /// it can be handed to another app.
    public nonisolated var canPreview: Bool {
        let types = ["html", "svg", "xml", "javascript", "webarchive", "mhtml"]
        let extensions: Set<String> = [
            "htm", "html", "xhtml", "xht", "shtml", "svg", "svgz", "xml", "xsl", "xslt", "js", "mjs", "webarchive",
            "mht", "mhtml", "eml", "url", "webloc", "mobileconfig",
        ]
        let name = file.name ?? ""
        let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        return !types.contains { file.type.lowercased().contains($0) } && !extensions.contains(ending)
    }

    /// Downloads the file, and returns when it is on the device or has failed. Concurrent calls share one download.
    public func download() async {
        if let url = mail.storedFile(file) {
            state = .stored(url)
            return
        }
        if !downloading.isActive { begin() }
        await downloading.task?.value
    }

    /// Cancels a download. The received bytes are kept for the next one.
    public func cancel() {
        guard downloading.isActive else { return }
        downloading.cancel()
        state = .remote
    }

    /// Shows the preview, after the file was downloaded if it isn't on the device. Does nothing for a file that isn't
    /// previewed.
    public func open() async {
        guard canPreview else { return }
        await download()
        preview = state.url
    }

    private func begin() {
        state = .downloading(0)
        let (fractions, continuation) = AsyncStream.makeStream(of: Double.self, bufferingPolicy: .bufferingNewest(1))
        downloading.start { [weak self, mail, file] in
            let showing = Task { [weak self] in
                for await fraction in fractions {
                    guard let self, case .downloading = state else { return }
                    state = .downloading(fraction)
                }
            }
            let result: State
            do {
                let url = try await mail.download(file) { progress in
                    guard progress.total > 0 else { return }
                    continuation.yield(min(1, max(0, Double(progress.received) / Double(progress.total))))
                }
                result = .stored(url)
            } catch {
                result = .failed(error)
            }
            continuation.finish()
            showing.cancel()
            guard !Task.isCancelled, let self else { return }
            downloading.end()
            state = result
        }
    }
}
