import Eventually
import Foundation
import Groundwork
import HTMLCleaning
import HTMLViews
import InboxCards
import InboxMailViews
import Screens

@testable import InboxMail

/// A mail on screen, whose body and pictures a test provides.
@MainActor
final class MailScreen {
    let log = Log()
    private(set) var model: MailBodyModel!
    private(set) var opened: [String] = []

    /// - Parameters:
    ///   - html: The mail's HTML; nil for a mail of text.
    ///   - text: The mail's text.
    ///   - allows: Whether pictures on the web can be allowed.
    init(html: String? = nil, text: String = "", isTruncated: Bool = false, allows: Bool = true) {
        let body = Self.body(html: html, text: text, isTruncated: isTruncated)
        let log = log
        let allow: MailPictureAccess.Allowing = { permission, message in
            log.note("allow \(permission) \(message.id)")
            if log.failsAllowing { throw Failure() }
            log.isAllowed = true
        }
        let access = MailPictureAccess(
            load: { body, _, medium, fetches in
                let isAllowed = log.note("\(fetches ? "fetch" : "load") \(medium.width)")
                if let gate = log.gate { await gate.wait() }
                if log.failsLoading { throw Failure() }
                let files = Dictionary(uniqueKeysWithValues: body.inlineFiles.map { ($0.blobID, Self.png) })
                var pictures = MailPictures(files: files)
                if isAllowed {
                    pictures.remote = fetches ? ["https://pictures.example/a.png": Self.gif] : [:]
                }
                return pictures
            },
            allow: allows ? allow : nil
        )
        model = MailBodyModel(Self.message, pictures: access, texts: CardTexts(.english)) {
            log.note("body")
            if log.isOffline { throw MailError(.notConnected, "no network") }
            return body
        }
        model.openURL = { [weak self] in self?.opened.append($0.absoluteString) }
    }

    nonisolated static let gif = Data("GIF89a, more or less".utf8)
    nonisolated static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])

    static let message = MailMessage(
        id: "m1",
        threadID: "t1",
        receivedAt: Date(timeIntervalSince1970: 0),
        sentAt: nil,
        subject: "Lunch",
        snippet: "",
        size: 0,
        hasAttachments: false,
        keywords: [],
        mailboxIDs: [],
        details: MailDetails.Source(text: Array("{}".utf8))
    )

    nonisolated static func body(html: String?, text: String, isTruncated: Bool) -> MailBody {
        let type: JSON = html == nil ? "text/plain" : "text/html"
        return MailBody([
            "htmlBody": [["partId": "1", "type": type]], "textBody": [["partId": "1", "type": type]],
            "bodyValues": ["1": ["value": .string(html ?? text), "isTruncated": .bool(isTruncated)]],
            "attachments": [
                ["blobId": "B1", "type": "image/png", "size": 11, "cid": "logo@x"],
                ["blobId": "B2", "type": "application/pdf", "size": 11, "name": "menu.pdf"],
            ],
        ])
    }

    /// Shows the mail in a view, and waits until it is there, with its pictures.
    func show(width: Double = 400, isDark: Bool = false, textScale: Double = 1) async throws {
        let loads = log.count("load")
        let isOther = width != shownWidth || isDark != isShownDark
        (shownWidth, isShownDark) = (width, isDark)
        model.show(in: HTMLViewport(width: width, isDark: isDark, textScale: textScale))
        _ = try await eventually { if case .loading = model.state { false } else { true } }
        guard isOther, case .html = model.state.parts.first?.content else { return }
        _ = try await eventually { log.count("load") > loads }
    }

    private var shownWidth = 0.0
    private var isShownDark = false

    /// The markup of a part.
    func markup(_ index: Int = 0) -> String {
        let parts = model.state.parts
        guard parts.indices.contains(index), case .html(let page) = parts[index].content else { return "" }
        return page.document.markup
    }

    struct Failure: Error {}

    /// What was asked of the mail, in order, and how it answers.
    final class Log: Sendable {
        private struct State {
            var lines: [String] = []
            var isOffline = false
            var isAllowed = false
            var failsAllowing = false
            var failsLoading = false
            var gate: Gate?
        }

        // Guarded by its lock: the model's tasks note what they do.
        private let state = Locked(State())

        var all: [String] { state.withLock { $0.lines } }
        func count(_ prefix: String) -> Int { all.count { $0.hasPrefix(prefix) } }

        var isOffline: Bool {
            get { state.withLock { $0.isOffline } }
            set { state.withLock { $0.isOffline = newValue } }
        }
        var isAllowed: Bool {
            get { state.withLock { $0.isAllowed } }
            set { state.withLock { $0.isAllowed = newValue } }
        }
        var failsAllowing: Bool {
            get { state.withLock { $0.failsAllowing } }
            set { state.withLock { $0.failsAllowing = newValue } }
        }
        var failsLoading: Bool {
            get { state.withLock { $0.failsLoading } }
            set { state.withLock { $0.failsLoading = newValue } }
        }
        var gate: Gate? {
            get { state.withLock { $0.gate } }
            set { state.withLock { $0.gate = newValue } }
        }

        /// Returns whether pictures on the web are allowed.
        @discardableResult
        func note(_ line: String) -> Bool {
            state.withLock { state in
                state.lines.append(line)
                return state.isAllowed
            }
        }
    }
}
