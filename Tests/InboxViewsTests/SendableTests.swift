import Coverage
import InboxViews
import Testing

/// What an app can pass between its tasks.
@Suite(.timeLimit(.minutes(5))) struct SendableTests {
    @Test(.rulesOut(.brazeSwift85)) func `public types are sendable`() {
        func crossesActors<each T: Sendable>(_ types: repeat (each T).Type) -> Bool { true }
        #expect(
            crossesActors(
                InboxScreenModel.self,
                MessageListModel.self,
                MessageModel.self,
                UnreadCountModel.self,
                ConnectionModel.self,
                MessageActions.self,
                MessageHTMLModel.self,
                MessageHTMLState.self,
                PictureModel.self,
                DisplayTracker.self
            )
        )
    }
}
