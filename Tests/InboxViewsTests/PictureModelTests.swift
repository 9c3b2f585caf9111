import Coverage
import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
@testable import InboxViews
import Screens
import Testing

/// The pictures of cards on screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct PictureModelTests {
    private static let host = "https://cdn.example.com/"
    private static let frame = PictureDisplaySize(width: 72, height: 72, scale: 2)
    private let device: ScreenDevice
    private let web = Web()

    /// The pictures on the web, changed by the test while requests are under way.
    private final class Web: Sendable {
        let pictures = Locked<[String: [UInt8]]>([:])
        let requested = Locked<[String]>([])
        let isReachable = Locked(true)
        let gate = Locked<Gate?>(nil)
    }

    init() async throws {
        device = try await ScreenDevice([], settings: nil, surface: "inbox")
        connect()
    }

    private func connect() {
        device.transport.answer { [server = device.server, web] request in
            guard request.url.host() == "cdn.example.com" else { return server.answer(request) }
            let name = request.url.lastPathComponent
            web.requested.withLock { $0.append(name) }
            await web.gate.withLock { $0 }?.wait()
            guard web.isReachable.withLock({ $0 }) else { throw TransportError.unreachable("no network") }
            let body = web.pictures.withLock { $0[name] }
            return TransportResponse(status: body == nil ? 404 : 200, body: body ?? [], url: request.url)
        }
    }

    private func put(_ names: String...) {
        web.pictures.withLock { pictures in for name in names { pictures[name] = Array("GIF89a \(name)".utf8) } }
    }

    private func model() -> PictureModel { PictureModel(device.inbox, clock: device.clock) }

    private func show(_ name: String, in model: PictureModel) { model.show(Self.host + name, in: Self.frame) }

    /// What a model shows: the name of the picture, or the state.
    private func shown(_ model: PictureModel) -> String {
        switch model.state {
        case .loading: "loading"
        case .shown(let picture): String(decoding: picture.data.dropFirst(7), as: UTF8.self)
        case .waiting: "waiting"
        case .broken: "broken"
        }
    }

    private var requested: [String] { web.requested.withLock { $0 } }

    @Test func `a picture is shown, and is there without a network`() async throws {
        put("a")
        let model = model()
        #expect(shown(model) == "loading")
        show("a", in: model)
        #expect(try await eventually { shown(model) == "a" })
        device.disconnect()
        let next = self.model()
        show("a", in: next)
        #expect(try await eventually { shown(next) == "a" })
        #expect(requested == ["a"])
    }

    @Test(.rulesOut(.brazeSwift176))
    func `two views of one address both get the picture by one request`() async throws {
        put("a")
        let gate = Gate()
        web.gate.withLock { $0 = gate }
        let (first, second) = (model(), model())
        show("a", in: first)
        show("a", in: second)
        #expect(try await eventually { requested.count == 1 })
        await gate.open()
        #expect(try await eventually { shown(first) == "a" && shown(second) == "a" })
        #expect(requested == ["a"])
    }

    @Test func `a load that scrolling cancels isn't a failure and starts again`() async throws {
        put("a")
        let gate = Gate()
        web.gate.withLock { $0 = gate }
        let model = model()
        show("a", in: model)
        #expect(try await eventually { requested.count == 1 })
        model.hide()
        web.gate.withLock { $0 = nil }
        await gate.open()
        #expect(shown(model) == "loading")
        show("a", in: model)
        #expect(try await eventually { shown(model) == "a" })
    }

    @Test func `a failed picture is tried again after growing pauses`() async throws {
        put("a")
        web.isReachable.withLock { $0 = false }
        let model = model()
        show("a", in: model)
        #expect(try await eventually { shown(model) == "waiting" })
        // The view is called again when its size changes, which isn't an attempt.
        show("a", in: model)
        device.clock.advance(by: 1)
        #expect(requested.count == 1)
        device.clock.advance(by: 1)
        #expect(try await eventually { requested.count == 2 })
        #expect(shown(model) == "waiting")
        web.isReachable.withLock { $0 = true }
        #expect(
            try await eventually {
                device.clock.advance(by: 4)
                return shown(model) == "a"
            }
        )
        #expect(requested == ["a", "a", "a"])
    }

    @Test func `pauses double up to five minutes`() {
        #expect((1...4).map(PictureModel.pause) == [2, 4, 8, 16])
        #expect(PictureModel.pause(after: 9) == 300 && PictureModel.pause(after: 1_000_000) == 300)
    }

    @Test func `a failed picture is tried at once on a tap`() async throws {
        web.isReachable.withLock { $0 = false }
        let model = model()
        show("a", in: model)
        #expect(try await eventually { shown(model) == "waiting" })
        web.isReachable.withLock { $0 = true }
        put("a")
        model.retry()
        #expect(shown(model) == "loading")
        #expect(try await eventually { shown(model) == "a" })
    }

    @Test func `a failed picture is tried at once when it appears again`() async throws {
        put("a")
        web.isReachable.withLock { $0 = false }
        let model = model()
        show("a", in: model)
        #expect(try await eventually { shown(model) == "waiting" })
        web.isReachable.withLock { $0 = true }
        model.hide()
        // Out of sight nothing is tried.
        device.clock.advance(by: 60)
        #expect(requested == ["a"])
        show("a", in: model)
        #expect(try await eventually { shown(model) == "a" })
    }

    @Test func `a failed picture is tried at once when the connection returns`() async throws {
        let device = try await ScreenDevice([], settings: nil, surface: "inbox") { $0.isLive = true }
        device.disconnect()
        let model = PictureModel(device.inbox, clock: device.clock)
        #expect(try await eventually { if case .offline = device.inbox.connectionState { true } else { false } })
        model.show(Self.host + "a", in: Self.frame)
        #expect(try await eventually { shown(model) == "waiting" })
        let before = device.clock.now
        device.transport.answer { [server = device.server] request in
            guard request.url.host() == "cdn.example.com" else { return server.answer(request) }
            return TransportResponse(status: 200, body: Array("GIF89a b".utf8), url: request.url)
        }
        try await device.inbox.sync()
        #expect(try await eventually { shown(model) == "b" })
        #expect(device.clock.now == before)
    }

    @Test func `a file that isn't a picture is shown as broken and isn't fetched again`() async throws {
        web.pictures.withLock { $0["a"] = Array("<html>".utf8) }
        for address in [Self.host + "a", Self.host + "missing", "ftp://cdn.example.com/a", "http://127.0.0.1/a"] {
            let model = model()
            model.show(address, in: Self.frame)
            #expect(try await eventually { shown(model) == "broken" })
            model.retry()
            #expect(shown(model) == "broken")
        }
        device.clock.advance(by: 3_600)
        #expect(requested == ["a", "missing"])
    }

    @Test func `another address, as of dark mode, replaces the picture`() async throws {
        put("a", "dark")
        let model = model()
        show("a", in: model)
        #expect(try await eventually { shown(model) == "a" })
        show("dark", in: model)
        #expect(shown(model) == "loading")
        #expect(try await eventually { shown(model) == "dark" })
    }

    @Test func `a picture out of sight is released, and read from the device when it reappears`() async throws {
        put("a")
        let model = model()
        show("a", in: model)
        #expect(try await eventually { shown(model) == "a" })
        model.hide()
        #expect(shown(model) == "loading")
        show("a", in: model)
        #expect(try await eventually { shown(model) == "a" })
        #expect(requested == ["a"])
    }

    @Test func `a closed inbox has no pictures`() async throws {
        let model = model()
        await device.inbox.close()
        show("a", in: model)
        #expect(try await eventually { shown(model) == "broken" })
    }
}

/// The size to which a picture is decoded.
@Suite(.timeLimit(.minutes(5))) struct PictureDisplaySizeTests {
    @Test func `a picture is decoded to the size at which it is shown`() {
        let fitting = PictureDisplaySize(width: 320, height: 160, scale: 2)
        #expect(fitting.maxPixelSize(forWidth: 6_000, height: 3_000) == 640)
        // As high as the frame.
        #expect(fitting.maxPixelSize(forWidth: 3_000, height: 6_000) == 320)
        let filling = PictureDisplaySize(width: 320, height: 160, scale: 2, fills: true)
        #expect(filling.maxPixelSize(forWidth: 3_000, height: 6_000) == 1_280)
        // A small picture isn't made larger.
        #expect(fitting.maxPixelSize(forWidth: 100, height: 50) == 100)
    }

    @Test func `a picture of too many pixels isn't decoded`() {
        let frame = PictureDisplaySize(width: 320, height: 160)
        #expect(frame.maxPixelSize(forWidth: 10_000, height: 10_000) != nil)
        #expect(frame.maxPixelSize(forWidth: 10_001, height: 10_000) == nil)
        #expect(frame.maxPixelSize(forWidth: .max, height: .max) == nil)
        #expect(
            frame.maxPixelSize(forWidth: 0, height: 10) == nil && frame.maxPixelSize(forWidth: 10, height: -1) == nil
        )
        // A strip that covers a square would be long.
        let square = PictureDisplaySize(width: 1_000, height: 1_000, fills: true)
        #expect(square.maxPixelSize(forWidth: 100_000, height: 10) == PictureDisplaySize.maxSide)
    }

    @Test func `a picture is decoded again for a frame that is clearly larger`() {
        let frame = PictureDisplaySize(width: 320, height: 160)
        #expect(!frame.isTooSmall(for: frame))
        #expect(!frame.isTooSmall(for: PictureDisplaySize(width: 330, height: 160)))
        #expect(!frame.isTooSmall(for: PictureDisplaySize(width: 100, height: 100)))
        #expect(frame.isTooSmall(for: PictureDisplaySize(width: 640, height: 160)))
        #expect(frame.isTooSmall(for: PictureDisplaySize(width: 320, height: 320)))
        #expect(frame.isTooSmall(for: PictureDisplaySize(width: 320, height: 160, scale: 2)))
        #expect(frame.isTooSmall(for: PictureDisplaySize(width: 320, height: 160, fills: true)))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1])
    func `a frame of any width can be compared, and has a size to decode to`(width: Double) throws {
        let (frame, other) = (
            PictureDisplaySize(width: 320, height: 160), PictureDisplaySize(width: width, height: 160, scale: 2)
        )
        let isWider = width > 320
        #expect(frame.isTooSmall(for: PictureDisplaySize(width: width, height: 160)) == isWider)
        #expect(!other.isTooSmall(for: PictureDisplaySize(width: width, height: 160)))
        for fills in [false, true] {
            let sized = PictureDisplaySize(width: width, height: 160, scale: 2, fills: fills)
            let side = try #require(sized.maxPixelSize(forWidth: 6_000, height: 3_000))
            #expect((1...PictureDisplaySize.maxSide).contains(side))
        }
    }
}
