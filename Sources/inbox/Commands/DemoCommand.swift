import ArgumentParser
import Foundation
import InboxServer
import Logging

/// `inbox demo`: a server with sample messages.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run a server with sample messages.",
        discussion: """
            Prints commands to paste into other terminals. A second run continues with the same data and sends nothing \
            twice. To start over, delete the directory.

            Example:
              inbox demo --port 8080
            """
    )

    @Option(help: ArgumentHelp("The port to listen on. If it is in use, the next free one.", valueName: "n"))
    var port = 8080

    @Option(help: ArgumentHelp("The directory for the demo's data.", valueName: "dir"), completion: .directory)
    var directory = ".demo"

    @Option(
        help: ArgumentHelp(
            "A file with other messages. Their pictures are in the folder Pictures next to it.",
            valueName: "file"
        ),
        completion: .file()
    )
    var messages: String?

    /// The number of ports after the requested one that are tried.
    private static let portsToTry = 50

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port has to be from 0 to 65535.") }
        try PathArgument.check(directory, of: "--directory")
        try PathArgument.check(messages, of: "--messages")
    }

    func run() async throws {
        let pictures = try DemoPictures(nextTo: messages)
        let messages = try DemoMessages(file: messages)
        let directory = URL(fileURLWithPath: directory, isDirectory: true)
        let state = try DemoState(in: directory)
        try state.save(in: directory)
        let (ready, isReady) = AsyncStream.makeStream(of: ReadyInformation.self)
        var configuration = InboxServerConfiguration(
            database: DemoState.database(in: directory),
            port: try freePort(),
            adminKey: state.key,
            logger: RunningServer.logger(.warning)
        )
        configuration.databaseOption = "--directory"
        configuration.pictures = pictures.sources
        let server = RunningServer(configuration: configuration)
        let host = DemoHost(directory: directory, messages: messages, ready: ready)
        try await server.run(alongside: host) { information in isReady.yield(information) }
        Output.line("The demo has stopped.")
    }

    private func freePort() throws -> Int {
        guard port != 0 else { return 0 }
        let candidates = port...min(port + Self.portsToTry, 65_535)
        guard let free = candidates.first(where: { Port.problem($0, host: "127.0.0.1") == nil }) else {
            throw Failure("All ports from \(port) to \(candidates.upperBound) are in use. Choose another --port.")
        }
        return free
    }
}
