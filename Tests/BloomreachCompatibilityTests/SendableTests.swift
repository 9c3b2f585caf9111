import Coverage
import BloomreachCompatibility
import Testing

/// What an app can pass between its tasks.
@Suite(.timeLimit(.minutes(5))) struct SendableTests {
    @Test(.rulesOut(.brazeSwift85)) func `public types are sendable`() {
        func crossesActors<each T: Sendable>(_ types: repeat (each T).Type) -> Bool { true }
        #expect(
            crossesActors(
                Exponea.self,
                Exponea.InboxSettings.self,
                MessageItem.self,
                MessageItemAction.self,
                AppInboxStyle.self,
                AppInboxTexts.self,
                AppInboxRow.self,
                AppInboxDetail.self,
                AppInboxListModel.self,
                AppInboxDetailModel.self,
                AppInboxButtonModel.self,
                ExponeaError.self
            )
        )
    }
}
