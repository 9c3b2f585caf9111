import BloomreachCompatibility
import Foundation
import InboxClient
import RunningServer

extension Exponea {
    /// Configures the inbox of a device that fetches on request, in the folder of a running server.
    ///
    /// - Parameter consent: The consent to track messages that need one.
    @MainActor
    func configure(for server: RunningServer, consent: TrackingConsent = .notDetermined) {
        var configuration = InboxConfiguration.keepingAll
        configuration.isLive = false
        configuration.trackingConsent = consent
        configure(
            Exponea.InboxSettings(
                server: server.url,
                directory: server.folder.appending(path: "device"),
                configuration: configuration
            ) { person in
                try await server.token(of: person)
            }
        )
    }
}
