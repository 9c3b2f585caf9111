import Eventually
import Foundation
import GRDB
import Groundwork
import HTMLCleaning
import InboxModel
import InboxTesting
import Testing

@testable import InboxClient
@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct MessageHTMLTests {
    private let server = ScriptedServer(person: "alice")
    // Guarded by its lock: the transport reads it during requests.
    private let pictures = Locked<[String: [UInt8]]>([:])

    private static let host = "https://cdn.example.com/"
    private static let gif = Array("GIF89a, a picture".utf8)
    private static var inlined: String { "data:image/gif;base64," + Data(gif).base64EncodedString() }

    /// A device whose transport leads to the inbox's server and to the web's pictures.
    private func device(
        directory: URL? = nil,
        _ configure: (inout InboxConfiguration) -> Void = { _ in }
    ) async throws -> Device {
        let device = try await Device(server, directory: directory, configure: configure)
        connect(device)
        return device
    }

    private func connect(_ device: Device) {
        device.transport.answer { [server, pictures] request in
            guard request.url.host() == "cdn.example.com" else { return server.answer(request) }
            let body = pictures.withLock { $0[request.url.lastPathComponent] }
            return TransportResponse(status: body == nil ? 404 : 200, body: body ?? [], url: request.url)
        }
    }

    private func put(_ names: String...) {
        pictures.withLock { pictures in for name in names { pictures[name] = Self.gif } }
    }

    private func deliver(_ html: String?, id: String = "m") {
        server.deliver(Message(id: id, title: "News", html: html, deliverAt: ManualClock().now))
    }

    private func requested(_ device: Device) -> [String] {
        device.transport.requests.filter { $0.url.host() == "cdn.example.com" }.map(\.url.lastPathComponent)
    }

    private func storedCount(_ device: Device) async throws -> Int {
        try await device.inbox.store.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM picture WHERE size > 0") ?? 0
        }
    }

    @Test func `a message is shown with its pictures, online and then offline`() async throws {
        put("a.gif", "b.gif")
        deliver("<p style='background:url(\(Self.host)b.gif)'>Hi <img src='\(Self.host)a.gif' alt='A'></p>")
        let phone = try await device()
        try await phone.inbox.sync()
        let before = try #require(try await phone.inbox.html(of: "m", fetchesPictures: false))
        #expect(before.shownPictureCount == 0 && before.missingPictureCount == 2)
        #expect(before.html.markup.contains(#"<img alt="A">"#))
        #expect(requested(phone).isEmpty)

        let shown = try #require(try await phone.inbox.html(of: "m"))
        #expect(shown.shownPictureCount == 2 && shown.missingPictureCount == 0)
        #expect(shown.html.markup.components(separatedBy: Self.inlined).count == 3)
        #expect(shown.html.pictureOrigins == ["data:"])
        #expect(!shown.document.markup.contains(Self.host))
        #expect(shown.document.contentSecurityPolicy.contains("img-src data:;"))
        #expect(shown.document.markup.contains("<title>News</title>"))

        phone.disconnect()
        #expect(try await phone.inbox.html(of: "m")?.html.markup == shown.html.markup)
        #expect(try await phone.inbox.html(of: "m", fetchesPictures: false)?.html.markup == shown.html.markup)
        #expect(requested(phone).sorted() == ["a.gif", "b.gif"])
    }

    @Test func `a message without a network is readable, with placeholders`() async throws {
        put("a.gif")
        deliver("<h1>Offer</h1><img src='\(Self.host)a.gif' alt='A red shoe'><img src='cid:x' alt='X'>")
        let phone = try await device()
        try await phone.inbox.sync()
        phone.disconnect()
        let shown = try #require(try await phone.inbox.html(of: "m"))
        #expect(shown.html.markup == #"<h1>Offer</h1><img alt="A red shoe"><img alt="X">"#)
        #expect(shown.missingPictureCount == 2)
        connect(phone)
        // Not before its time.
        #expect(try await phone.inbox.html(of: "m")?.shownPictureCount == 0)
        phone.clock.advance(by: 60)
        #expect(try await phone.inbox.html(of: "m")?.shownPictureCount == 1)
    }

    @Test func `a request for a picture has nothing of the person`() async throws {
        put("a.gif")
        deliver("<img src='\(Self.host)a.gif'>")
        let phone = try await device()
        try await phone.inbox.sync()
        _ = try await phone.inbox.html(of: "m")
        let request = try #require(phone.transport.requests.last)
        #expect(request.url.absoluteString == Self.host + "a.gif")
        #expect(Array(request.headers.keys) == ["Accept"])
        #expect(phone.transport.requests.contains { $0.headers["Authorization"] != nil })
    }

    @Test func `tracking pixels and pictures of private networks aren't fetched`() async throws {
        put("pixel.gif", "hidden.gif")
        deliver(
            """
            <img src='\(Self.host)pixel.gif' width=1 height=1><img src='\(Self.host)hidden.gif' style='display:none'>
            <img src='http://192.168.1.1/a.gif'><img src='http://printer/a.gif'><img src='http://127.0.0.1/a.gif'>
            """
        )
        let phone = try await device()
        try await phone.inbox.sync()
        let count = phone.transport.requests.count
        let shown = try #require(try await phone.inbox.html(of: "m"))
        #expect(shown.html.trackingPixelCount == 2 && shown.missingPictureCount == 3)
        #expect(phone.transport.requests.count == count)
    }

    @Test func `a message without HTML has none, nor does a missing one`() async throws {
        deliver(nil)
        let phone = try await device()
        try await phone.inbox.sync()
        #expect(try await phone.inbox.html(of: "m") == nil)
        #expect(try await phone.inbox.html(of: "unknown") == nil)
    }

    @Test func `a message's actions have their labels`() async throws {
        deliver("<a href='https://example.com/'>Read on</a><div data-link='app://offer'>See it</div>")
        let phone = try await device()
        try await phone.inbox.sync()
        let actions = try #require(try await phone.inbox.html(of: "m")).actions
        #expect(actions.actions.map(\.url) == ["app://offer", "https://example.com/"])
        #expect(actions.actions.map(\.label) == ["See it", "Read on"])
    }

    @Test func `each medium has its own pictures, fetched when it is shown`() async throws {
        put("wide.gif", "dark.gif")
        deliver(
            """
            <style>p { background: url(\(Self.host)wide.gif) }
            @media (prefers-color-scheme: dark) { p { background: url(\(Self.host)dark.gif) } }</style><p>Hi
            """
        )
        let phone = try await device()
        try await phone.inbox.sync()
        #expect(try await phone.inbox.html(of: "m")?.shownPictureCount == 1)
        #expect(requested(phone) == ["wide.gif"])
        #expect(try await phone.inbox.html(of: "m", medium: HTMLMedium(isDark: true))?.shownPictureCount ?? 0 > 0)
        #expect(try await phone.inbox.html(of: "m")?.shownPictureCount == 1)
        #expect(Set(requested(phone)) == ["wide.gif", "dark.gif"] && requested(phone).count == 2)
    }

    @Test func `a message that is edited loses its old picture`() async throws {
        put("old.gif", "new.gif")
        deliver("<img src='\(Self.host)old.gif'>")
        let phone = try await device()
        try await phone.inbox.sync()
        _ = try await phone.inbox.html(of: "m")
        // A change of something else keeps it.
        try await phone.inbox.markRead("m")
        try await phone.inbox.sync()
        #expect(try await storedCount(phone) == 1)
        deliver("<img src='\(Self.host)new.gif'>")
        try await phone.inbox.sync()
        #expect(try await storedCount(phone) == 0)
        #expect(try await phone.inbox.html(of: "m")?.shownPictureCount == 1)
        #expect(requested(phone) == ["old.gif", "new.gif"])
    }

    @Test func `a recalled message's pictures are deleted`() async throws {
        put("a.gif")
        deliver("<img src='\(Self.host)a.gif'>")
        let phone = try await device()
        try await phone.inbox.sync()
        _ = try await phone.inbox.html(of: "m")
        #expect(try await storedCount(phone) == 1)
        server.recall("m")
        try await phone.inbox.sync()
        #expect(try await storedCount(phone) == 0)
    }

    @Test func `pictures of a message that is edited during the fetch aren't stored`() async throws {
        put("a.gif")
        deliver("<img src='\(Self.host)a.gif'>")
        let phone = try await device()
        try await phone.inbox.sync()
        let inbox = phone.inbox
        phone.transport.answer { [server] request in
            guard request.url.host() == "cdn.example.com" else { return server.answer(request) }
            server.deliver(Message(id: "m", title: "News", html: "<p>Other", deliverAt: ManualClock().now))
            try await inbox.sync()
            return TransportResponse(status: 200, body: Self.gif, url: request.url)
        }
        #expect(try await phone.inbox.html(of: "m")?.shownPictureCount == 1)
        #expect(try await storedCount(phone) == 0)
    }

    @Test func `a process that ends between fetch and store fetches again`() async throws {
        put("a.gif")
        deliver("<img src='\(Self.host)a.gif'>")
        let ends = Locked(false)
        let phone = try await device { configuration in
            configuration.writeHook = { moment in
                if moment == .commits, ends.withLock({ $0 }) { throw CancellationError() }
            }
        }
        try await phone.inbox.sync()
        ends.withLock { $0 = true }
        await #expect(throws: CancellationError.self) { try await phone.inbox.html(of: "m") }
        ends.withLock { $0 = false }
        await phone.inbox.close()
        let next = try await device(directory: phone.directory)
        #expect(try await next.inbox.html(of: "m", fetchesPictures: false)?.shownPictureCount == 0)
        #expect(try await next.inbox.html(of: "m")?.shownPictureCount == 1)
        #expect(requested(phone) == ["a.gif"] && requested(next) == ["a.gif"])
    }

    @Test func `signing out ends a fetch and deletes the pictures`() async throws {
        put("a.gif")
        deliver("<img src='\(Self.host)a.gif'>")
        deliver("<img src='\(Self.host)slow.gif'>", id: "slow")
        let phone = try await device()
        try await phone.inbox.sync()
        _ = try await phone.inbox.html(of: "m")
        let clock = phone.clock
        phone.transport.answer { [server] request in
            guard request.url.host() == "cdn.example.com" else { return server.answer(request) }
            try await clock.sleep(seconds: 3_600)
            return TransportResponse(status: 200, body: Self.gif, url: request.url)
        }
        let inbox = phone.inbox
        let reader = Task { try await inbox.html(of: "slow") }
        #expect(try await eventually { requested(phone).contains("slow.gif") })
        try await phone.inbox.signOut()
        await #expect { try await reader.value } throws: { ($0 as? InboxError)?.code == .closed }
        await #expect { try await inbox.html(of: "m") } throws: { ($0 as? InboxError)?.code == .closed }
        let left = try FileManager.default.contentsOfDirectory(atPath: phone.directory.path)
        #expect(left.isEmpty)
        let next = try await device(directory: phone.directory)
        try await next.inbox.sync()
        #expect(try await storedCount(next) == 0)
    }

    @Test func `the budget is the configuration's`() async throws {
        put("a.gif", "b.gif")
        deliver("<img src='\(Self.host)a.gif'>")
        deliver("<img src='\(Self.host)b.gif'>", id: "n")
        let phone = try await device { $0.pictureBudget = Self.gif.count }
        try await phone.inbox.sync()
        _ = try await phone.inbox.html(of: "m")
        phone.clock.advance(by: 1)
        _ = try await phone.inbox.html(of: "n")
        #expect(try await storedCount(phone) == 1)
        #expect(try await phone.inbox.html(of: "n", fetchesPictures: false)?.shownPictureCount == 1)
        #expect(try await phone.inbox.html(of: "m", fetchesPictures: false)?.shownPictureCount == 0)
    }

    @Test func `a picture that is shown very often fills the message up to a limit`() async throws {
        pictures.withLock { $0["a.gif"] = Self.gif + [UInt8](repeating: 0, count: 1 << 20) }
        deliver(String(repeating: "<img src='\(Self.host)a.gif'>", count: 1_000))
        let phone = try await device()
        try await phone.inbox.sync()
        let shown = try #require(try await phone.inbox.html(of: "m"))
        #expect(shown.shownPictureCount == 19 && shown.missingPictureCount == 981)
        #expect(requested(phone) == ["a.gif"])
    }

    @Test func `a large background of a style sheet leaves the other styles as they are`() async throws {
        pictures.withLock { $0["a.gif"] = Self.gif + [UInt8](repeating: 0, count: 2 << 20) }
        deliver("<style>p { background: url(\(Self.host)a.gif) } b { color: #123456 }</style><p>Hi</p><b>you</b>")
        let phone = try await device()
        try await phone.inbox.sync()
        let shown = try #require(try await phone.inbox.html(of: "m"))
        #expect(shown.shownPictureCount == 1 && shown.html.markup.contains("data:image/gif"))
        #expect(shown.html.markup.contains("color: #123456") && shown.html.reachedLimits.isEmpty)
    }
}
