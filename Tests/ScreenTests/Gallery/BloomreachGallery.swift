import BloomreachCompatibility
import Foundation
import Groundwork
import HTMLViews
import InboxClient
import InboxModel
import InboxTesting
import Screens

@testable import SwiftUI
@_spi(Running) import UIKit

/// The default button, list and detail of Bloomreach's App Inbox, which are UIKit's.
struct BloomreachGallery: GalleryVendor {
    let name = "Bloomreach"

    func scene(_ state: GalleryState, _ look: GalleryLook) async throws -> GalleryScene {
        UITableView.cellMakers["MessageItemCell"] = { MessageItemCell(style: .default, reuseIdentifier: nil) }
        let device = try Device(state)
        let drawing = ViewDrawing(isDark: look.isDark)
        let box: Box
        if state == .button {
            guard let button = device.client.getAppInboxButton() as? AppInboxButtonView else {
                throw Unexpected("not the default button")
            }
            try await device.fetch()
            try await Self.waits("the badge") { button.badge.text == "2" }
            box = drawing.screen(of: button)
        } else {
            let navigation = try await device.navigation(state, look)
            box = drawing.screen(of: navigation)
        }
        await device.gate.open()
        return GalleryScene(box: box, unknown: drawing.unknown)
    }

    /// Waits until a condition is met.
    static func waits(_ what: String, until condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(180)
        while ContinuousClock.now < deadline {
            if condition() { return }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw Unexpected("\(what) was expected")
    }

    /// A device with the client.
    @MainActor
    final class Device {
        let client = Exponea()
        let gate = Gate()
        let server = ScriptedServer(person: "alice")
        private let directory = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID())")

        /// - Parameters:
        ///   - state: The state of the screens.
        ///   - messages: The messages; nil for those of the gallery.
        init(_ state: GalleryState, _ messages: [Message]? = nil) throws {
            var shown = state == .empty ? [] : messages ?? GalleryMessages.list()
            if state == .html { shown = [GalleryMessages.html()] }
            for message in shown { server.deliver(message) }
            let transport = server.transport
            transport.answer(with: GalleryMessages.answers(of: server))
            switch state {
            case .error: transport.answer { _ in throw TransportError.unreachable("no network") }
            case .loading:
                transport.answer { [gate, server] request in
                    await gate.wait()
                    return server.answer(request)
                }
            default: break
            }
            var configuration = InboxConfiguration()
            configuration.transport = transport
            configuration.isLive = false
            client.appInboxProvider = DefaultAppInboxProvider(
                client,
                texts: AppInboxTexts(languages: ["en"]) { _ in nil }
            )
            guard let address = URL(string: "https://inbox.example") else { throw Unexpected("not an address") }
            client.configure(
                Exponea.InboxSettings(server: address, directory: directory, configuration: configuration) { _ in
                    "token"
                }
            )
            client.identifyCustomer(customerIds: ["registered": "alice"])
        }

        deinit { try? FileManager.default.removeItem(at: directory) }

        /// Fetches the messages, as an app does that isn't connected.
        func fetch() async throws {
            _ = try await withCheckedContinuation { done in client.fetchAppInbox { done.resume(returning: $0) } }.get()
        }

        /// The list, and over it the message of a detail.
        func navigation(_ state: GalleryState, _ look: GalleryLook) async throws -> UINavigationController {
            let style: UIUserInterfaceStyle = look.isDark ? .dark : .light
            guard let list = client.getAppInboxListViewController() as? AppInboxListViewController else {
                throw Unexpected("not the default list")
            }
            list.loadViewIfNeeded()
            list.view.overrideUserInterfaceStyle = style
            let navigation = UINavigationController(rootViewController: list)
            switch state {
            case .loading: return navigation
            case .empty, .error:
                try await BloomreachGallery.waits("the status") { list.statusTitle.text != nil }
                return navigation
            case .list, .detail, .html, .button:
                try await BloomreachGallery.waits("the rows") { !list.tableView.cells.isEmpty }
            }
            if state == .list {
                // Each change of the list makes its cells again.
                try await BloomreachGallery.waits("all pictures") {
                    let pictures = list.tableView.cells.compactMap { ($0 as? MessageItemCell)?.messageImage }
                    return pictures.allSatisfy { $0.isHidden || $0.image != nil }
                }
                return navigation
            }
            list.tableView(list.tableView, didSelectRowAt: IndexPath(row: 0, section: 0))
            guard let detail = navigation.topViewController as? AppInboxDetailViewController else {
                throw Unexpected("not the default detail")
            }
            detail.view.overrideUserInterfaceStyle = style
            if state == .detail {
                try await BloomreachGallery.waits("the picture") { detail.messageImage.image != nil }
            } else {
                try await BloomreachGallery.waits("the document") {
                    detail.view.layOut(width: 390)
                    return detail.htmlContainer.document?.isMeasured == true
                }
            }
            return navigation
        }
    }
}

extension UIView {
    /// The document below this view.
    fileprivate var document: HTMLWebView? {
        (self as? HTMLWebView) ?? subviews.lazy.compactMap(\.document).first
    }
}
