import Coverage
import AdobeCompatibility
import Testing

/// What an app can pass between its tasks.
@Suite(.timeLimit(.minutes(5))) struct SendableTests {
    @Test(.rulesOut(.brazeSwift85)) func `public types are sendable`() {
        func crossesActors<each T: Sendable>(_ types: repeat (each T).Type) -> Bool { true }
        #expect(
            crossesActors(
                InboxUI.self,
                InboxState.self,
                ContentCardUI.self,
                Surface.self,
                Proposition.self,
                PropositionItem.self,
                AdobeCompatibility.InboxError.self,
                InboxUIError.self,
                MessagingEdgeEventType.self
            )
        )
    }
}
