import Coverage
import ZetaCompatibility
import Testing

/// What an app can pass between its tasks.
@Suite(.timeLimit(.minutes(5))) struct SendableTests {
    @Test(.rulesOut(.brazeSwift85)) func `public types are sendable`() {
        func crossesActors<each T: Sendable>(_ types: repeat (each T).Type) -> Bool { true }
        #expect(
            crossesActors(
                ZetaClient.self,
                ZTConfig.self,
                (any ZTAppInboxManagable).self,
                ZTAppInboxMessage.self,
                ZTCtaAction.self,
                ZTAppInboxMessageStatus.self
            )
        )
    }
}
