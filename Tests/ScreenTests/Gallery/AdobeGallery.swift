import AdobeCompatibility
import HTMLViews
import InboxCards
import InboxClient
import InboxModel
import InboxViews
import Screens

@testable import SwiftUI

/// `InboxUI.view`, and the view of a message's HTML beside it.
struct AdobeGallery: GalleryVendor {
    let name = "Adobe"

    func scene(_ state: GalleryState, _ look: GalleryLook) async throws -> GalleryScene {
        switch state {
        case .detail:
            return .words("None in Adobe’s document “InboxUI”: a tap on a card opens its link, or is the listener’s.")
        case .button: return .words("None in Adobe’s document “InboxUI”: it has no count of unread cards.")
        case .list, .empty, .loading, .error, .html: break
        }
        let surface = Surface(path: "inbox")
        let messages =
            switch state {
            case .empty: [Message]()
            case .html: [GalleryMessages.html(surface: surface.name)]
            default: GalleryMessages.list(surface: surface.name)
            }
        let settings = InboxSettings(title: "News", emptyMessage: "Nothing new for you today")
        let device = try await ScreenDevice.gallery(messages, settings: settings, surface: surface.name)
        let gate = Gate()
        if state == .loading { device.wait(at: gate) }
        if state == .error { device.disconnect() }
        let ui = InboxUI(surface: surface, inbox: device.inbox, texts: CardTexts(.english), timeZone: .gmt)
        let person: Person
        if state == .html {
            await ui.refreshed()
            let model = MessageHTMLModel("html", in: device.inbox, inboxUI: ui, texts: CardTexts(.english))
            person = Person(ScrollView { MessageHTMLView(model) }, look)
        } else {
            person = Person(ui.view, look)
        }
        switch state {
        case .list: try await person.waitsForAll("Your parcel is on its way")
        case .empty: try await person.waitsForAll("Nothing new for you today")
        case .loading: try await person.waits(for: "Loading…")
        case .error: try await person.waits(for: "Try Again")
        default: try await person.waits("the document") { person.webViews.first?.isMeasured == true }
        }
        let scene = person.scene
        await gate.open()
        person.display.close()
        return scene
    }
}
