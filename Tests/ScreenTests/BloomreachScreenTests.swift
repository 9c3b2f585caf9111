import BloomreachCompatibility
import Coverage
import Foundation
import Testing

@_spi(Running) import UIKit

/// Bloomreach's screens, whose views are UIKit's.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct BloomreachScreenTests {
    private let gallery = BloomreachGallery()

    @Test func `the flag is shown beside unread messages alone`() async throws {
        let html = try await gallery.scene(.list, GalleryLook()).box.html
        #expect(html.matches(of: /width:8px;flex:none;height:8px/).count == 2)
        #expect(html.matches(of: /<li class/).count == 4)
        // The texts begin in the same place without it.
        #expect(html.matches(of: /margin-inline-start:24px/).count == 4)
    }

    @Test func `pictures come from the inbox, in rows and on the screen of a message`() async throws {
        // The scenes wait for them: no other host is asked here than the inbox's transport.
        let list = try await gallery.scene(.list, GalleryLook()).box.html
        #expect(list.matches(of: /class="picture" role="img"/).count == 2)
        let detail = try await gallery.scene(.detail, GalleryLook()).box.html
        #expect(detail.matches(of: /class="picture" role="img" aria-label="A parcel on a table"/).count == 1)
    }

    @Test func `the button has room for its badge, which would cover the text otherwise`() async throws {
        let html = try await gallery.scene(.button, GalleryLook()).box.html
        #expect(html.contains(">2</span>") && html.contains("margin-inline:16px"))
    }

    @Test func `the screen of a message has its parts in order, and a button for each action`() async throws {
        let html = try await gallery.scene(.detail, GalleryLook()).box.html
        let texts = ["6 minutes ago", "Your parcel is on its way</span><span", "It arrives", "See more", "Track it"]
        var rest = html[...]
        for text in texts + ["Change the day"] {
            let range = try #require(rest.range(of: text), "\(text)")
            rest = rest[range.upperBound...]
        }
        #expect(html.contains("margin-top:56px") && html.contains("margin-top:16px;grid-row:2"))
    }

    @Test func `the icon of the button is apart from its text`() async throws {
        let html = try await gallery.scene(.button, GalleryLook()).box.html
        #expect(html.contains("gap:8px") && html.contains(">Inbox</span>"))
    }

    @Test func `the title of a message is on its screen once`() async throws {
        let html = try await gallery.scene(.detail, GalleryLook()).box.html
        #expect(html.matches(of: /Your parcel is on its way/).count == 1)
        // A message in HTML has it in the bar.
        let page = try await gallery.scene(.html, GalleryLook()).box.html
        #expect(page.contains(">Spring news</span>"))
    }

    @Test func `HTML with colors of its own lies on a round background, apart from the edges`() async throws {
        let html = try await gallery.scene(.html, GalleryLook(isDark: true)).box.html
        #expect(html.contains(/<iframe[^>]*style="[^"]*border-radius:12px/))
        #expect(html.contains("margin-inline-start:8px") && html.contains("width:calc(100% - 16px)"))
    }
}
