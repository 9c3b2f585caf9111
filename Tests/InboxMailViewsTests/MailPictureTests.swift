import Eventually
import Foundation
import HTMLViews
import InboxMail
import InboxMailViews
import Screens
import Testing

/// The pictures of a mail on screen, and the person's permission.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailPictureTests {
    private static let html = """
        <p>Hello</p><img src=cid:logo@x alt=logo><img src=https://pictures.example/a.png alt=far>\
        <img src=https://pictures.example/b.png><img src=https://track.example/p width=1 height=1>
        """

    @Test func `the mail's own pictures are shown, and those on the web are counted`() async throws {
        let screen = MailScreen(html: Self.html)
        try await screen.show()
        #expect(try await eventually { screen.markup().contains("data:image/png;base64,") })
        #expect(!screen.markup().contains("pictures.example"))
        #expect(screen.model.hiddenPictureCount == 2 && screen.model.trackingPixelCount == 1)
        #expect(screen.model.canShowPictures)
        #expect(screen.log.all == ["body", "load 400"])
    }

    @Test func `a mail is shown before its pictures`() async throws {
        let screen = MailScreen(html: Self.html)
        let gate = Gate()
        screen.log.gate = gate
        try await screen.show()
        #expect(screen.markup().contains("<p>Hello</p>") && screen.markup().contains("alt=\"logo\""))
        #expect(!screen.markup().contains("data:image"))
        await gate.open()
        #expect(try await eventually { screen.markup().contains("data:image/png;base64,") })
    }

    @Test(arguments: MailPictureAccess.Permission.allCases)
    func `the permission is stored before pictures are loaded`(
        _ permission: MailPictureAccess.Permission
    ) async throws {
        let screen = MailScreen(html: Self.html)
        try await screen.show()
        #expect(try await eventually { screen.markup().contains("data:image/png;base64,") })
        await screen.model.showPictures(permission)
        #expect(screen.log.all == ["body", "load 400", "allow \(permission) m1", "load 400", "fetch 400"])
        #expect(screen.markup().contains("data:image/gif;base64,"))
        #expect(!screen.markup().contains("https:"))
        #expect(screen.model.hiddenPictureCount == 0 && screen.model.trackingPixelCount == 1)
        #expect(!screen.model.canShowPictures && !screen.model.isLoadingPictures)
    }

    @Test func `pictures on the web are fetched after what is on the device`() async throws {
        let screen = MailScreen(html: "<p>Hello</p><img src=cid:logo@x>")
        screen.log.isAllowed = true
        try await screen.show()
        #expect(try await eventually { screen.markup().contains("data:image/png;base64,") })
        #expect(screen.log.all == ["body", "load 400"])
        let other = MailScreen(html: Self.html)
        other.log.isAllowed = true
        try await other.show()
        #expect(try await eventually { other.markup().contains("data:image/gif;base64,") })
        #expect(other.log.all == ["body", "load 400", "fetch 400"])
        #expect(other.model.hiddenPictureCount == 0 && !other.model.canShowPictures)
    }

    @Test func `while pictures are loaded, another request does nothing`() async throws {
        let screen = MailScreen(html: Self.html)
        try await screen.show()
        #expect(try await eventually { screen.markup().contains("data:image/png;base64,") })
        let gate = Gate()
        screen.log.gate = gate
        let first = Task { await screen.model.showPictures(.mail) }
        #expect(try await eventually { screen.log.count("load") == 2 })
        #expect(screen.model.isLoadingPictures)
        await screen.model.showPictures(.sender)
        #expect(screen.log.count("allow") == 1)
        await gate.open()
        await first.value
        #expect(!screen.model.isLoadingPictures && screen.model.hiddenPictureCount == 0)
    }

    @Test func `a permission that can't be stored loads nothing`() async throws {
        let screen = MailScreen(html: Self.html)
        try await screen.show()
        #expect(try await eventually { screen.markup().contains("data:image/png;base64,") })
        screen.log.failsAllowing = true
        await screen.model.showPictures(.sender)
        #expect(screen.log.count("load") == 1)
        #expect(screen.model.picturesError is MailScreen.Failure && !screen.model.isLoadingPictures)
        #expect(screen.model.canShowPictures)
        // A later attempt clears the error.
        screen.log.failsAllowing = false
        await screen.model.showPictures(.sender)
        #expect(screen.model.picturesError == nil && screen.model.hiddenPictureCount == 0)
    }

    @Test func `pictures that can't be loaded leave the mail as it is`() async throws {
        let screen = MailScreen(html: Self.html)
        screen.log.failsLoading = true
        try await screen.show()
        #expect(try await eventually { screen.model.picturesError != nil })
        #expect(screen.markup().contains("<p>Hello</p>"))
        #expect(screen.model.hiddenPictureCount == 2 && !screen.model.isLoadingPictures)
    }

    @Test func `an app that never shows pictures of the web offers none`() async throws {
        let screen = MailScreen(html: Self.html, allows: false)
        try await screen.show()
        #expect(try await eventually { screen.model.hiddenPictureCount == 2 })
        #expect(!screen.model.canShowPictures)
        await screen.model.showPictures(.mail)
        #expect(screen.log.count("load") == 1 && !screen.model.isLoadingPictures)
    }

    @Test func `a late answer for another view isn't shown`() async throws {
        let screen = MailScreen(html: Self.html)
        let gate = Gate()
        screen.log.gate = gate
        try await screen.show(width: 400)
        screen.log.gate = nil
        screen.log.isAllowed = true
        try await screen.show(width: 800)
        #expect(try await eventually { screen.markup().contains("data:image/gif;base64,") })
        await gate.open()
        // Pages that are made later have the pictures of this view.
        for scale in [2.0, 3.0] {
            let before = screen.model.state.parts.first?.content
            screen.model.show(in: HTMLViewport(width: 800, textScale: scale))
            #expect(try await eventually { screen.model.state.parts.first?.content != before })
        }
        #expect(screen.markup().contains("data:image/gif;base64,"))
        #expect(screen.log.count("fetch 400") == 0)
    }
}
