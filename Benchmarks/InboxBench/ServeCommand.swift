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
    @Flag var withoutFairUse = false

    func run() async throws {
        Child.stopWithParent()
        let logger = Child.logger()
        InboxServer.prepareProcess()
        var configuration = InboxServerConfiguration(
            database: database.hasPrefix("postgres:")
                ? URL(string: database) ?? URL(fileURLWithPath: database) : URL(fileURLWithPath: database),
            adminKey: adminKey,
            logger: logger
        )
        // In the benchmarks one person sends thousands of requests per second, unlike real devices. They are counted,
        // but don't reach the limit.
        let rate = withoutFairUse ? nil : FairUse.Rate(perSecond: 1_000_000, burst: 1_000_000)
        (configuration.fairUse.personRate, configuration.fairUse.changeRate) = (rate, rate)
        configuration.fairUse.keyRate = rate
        configuration.fairUse.enforcesReadLimits = !withoutFairUse
        let server = InboxServer(configuration: configuration) { ready in Child.report(port: ready.url.port ?? 0) }
        try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger).run()
    }
}
