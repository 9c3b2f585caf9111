import HTMLViews
import InboxCards
import InboxClient
import InboxModel
import InboxViews
import Screens

@testable import SwiftUI

/// The native screens: `InboxScreen` and `InboxButton`.
struct NativeGallery: GalleryVendor {
    let name = "Native"
    let wideStates: Set<GalleryState> = [.list, .detail, .html]

    func scene(_ state: GalleryState, _ look: GalleryLook) async throws -> GalleryScene {
        let messages =
            switch state {
            case .empty: [Message]()
            case .html: [GalleryMessages.html()]
            case .list, .detail, .button, .loading, .error: GalleryMessages.list()
            }
        let device = try await ScreenDevice.gallery(messages)
        let gate = Gate()
        switch state {
        case .button:
            try await device.inbox.sync()
            let person = Person(InboxButton {}.padding().shown(with: device.inbox), look)
            try await person.waits(for: "2")
            return person.scene
        case .loading: device.wait(at: gate)
        case .error: device.disconnect()
        case .list, .detail, .empty, .html: break
        }
        let person = Person(InboxScreen().shown(with: device.inbox), look)
        switch state {
        case .list: try await person.waitsForAll("Your parcel is on its way")
        case .empty: try await person.waitsForAll("No Messages")
        case .loading: try await person.waits(for: "Loading…")
        case .error: try await person.waitsForAll("Something Went Wrong")
        case .detail:
            try await person.waits(for: "Your parcel is on its way")
            try person.taps("Your parcel is on its way")
            try await person.waitsForAll("See More")
            // The message is read now.
            if look.isWide { try await person.waits(for: "Unread (1)") }
        case .html:
            try await person.waits(for: "Spring news")
            try person.taps("Spring news")
            try await person.waits("the document") { person.webViews.first?.isMeasured == true }
        case .button: break
        }
        let scene = person.scene
        await gate.open()
        person.display.close()
        return scene
    }
}
