import Coverage
import InboxKitCompatibility
import InboxMail
import Testing

/// What an app can pass between its tasks.
@Suite(.timeLimit(.minutes(5))) struct SendableTests {
    @Test(.rulesOut(.brazeSwift85)) func `public types are sendable`() {
        func crossesActors<each T: Sendable>(_ types: repeat (each T).Type) -> Bool { true }
        #expect(
            crossesActors(
                Mail.self,
                MailConfiguration.self,
                MailMessage.self,
                MailThread.self,
                MailSnapshot<MailThread>.self,
                CleanMail.self,
                INNamespace.self,
                INThread.self,
                INMessage.self
            )
        )
    }
}
