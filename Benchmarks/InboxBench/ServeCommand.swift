import ArgumentParser
import Foundation
import InboxServer
import Logging
import ServiceLifecycle
import UnixSignals

/// The inbox server, as a process to be measured.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", shouldDisplay: false)

    @Option var database: String
    @Option var adminKey: String

    func run() async throws {
        Child.stopWithParent()
        let logger = Child.logger()
        let configuration = InboxServerConfiguration(
            database: URL(fileURLWithPath: database),
            adminKey: adminKey,
            logger: logger
        )
        let server = InboxServer(configuration: configuration) { ready in Child.tell(port: ready.url.port ?? 0) }
        try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger).run()
    }
}
