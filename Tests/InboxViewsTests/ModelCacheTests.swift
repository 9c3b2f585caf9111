import InboxClient
@testable import InboxViews
import Screens
import Testing

/// What views keep while their inbox is the same.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ModelCacheTests {
    private final class Model {}

    private func device() async throws -> ScreenDevice {
        try await ScreenDevice([], settings: nil, surface: "inbox")
    }

    @Test func `a model is kept for an inbox and a key, and made for another`() async throws {
        let (first, second) = (try await device(), try await device())
        let cache = ModelCache<Model>()
        #expect(cache.model == nil)
        func follow(_ inbox: Inbox?, _ key: String? = nil) -> Model? {
            cache.follow(inbox, key) { _ in Model() }
            return cache.model
        }
        let model = try #require(follow(first.inbox))
        #expect(follow(first.inbox) === model)
        let other = try #require(follow(second.inbox))
        #expect(other !== model)
        let keyed = try #require(follow(second.inbox, "orders"))
        #expect(keyed !== other && follow(second.inbox, "orders") === keyed)
        #expect(follow(nil, "orders") == nil)
        #expect(follow(first.inbox, "orders") != nil)
    }

    @Test func `the inbox of a model can't be taken for another at its address`() async throws {
        let cache = ModelCache<Model>()
        weak var released: Inbox?
        do {
            let device = try await device()
            released = device.inbox
            cache.follow(device.inbox) { _ in Model() }
        }
        // While it is followed it lives, so that no other inbox comes to lie where it was.
        #expect(released != nil)
        cache.follow(nil as Inbox?) { _ in Model() }
        #expect(released == nil)
    }
}
