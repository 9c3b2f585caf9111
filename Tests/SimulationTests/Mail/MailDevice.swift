import Foundation
import Groundwork
import InboxMail
import StandardMailServer

/// A person's device that writes mail. Each death leaves a copy of its files at that moment, with which its next process
/// begins.
final class MailDevice {
    let name: String
    let disk = Disk()
    private let root: URL
    private var generation = 0
    private let server: StandardMailServer
    private let time: WorldTime
    private let killPoints: KillPoints?
    private var dice: Dice
    private(set) var mail: Mail
    private(set) var lifetime: ProcessLifetime
    private(set) var wire: MailWire

    init(
        _ name: String,
        in root: URL,
        _ server: StandardMailServer,
        _ time: WorldTime,
        _ killPoints: KillPoints?,
        seed: UInt64
    ) async throws {
        (self.name, self.root, self.server, self.time, self.killPoints) = (name, root, server, time, killPoints)
        dice = Dice(seed)
        (mail, lifetime, wire) = try await Self.open(root, name, 0, server, time, disk, killPoints, &dice)
    }

    private static func folder(_ root: URL, _ name: String, _ generation: Int) -> URL {
        root.appendingPathComponent("\(name)-\(generation)", isDirectory: true)
    }

    private static func open(
        _ root: URL,
        _ name: String,
        _ generation: Int,
        _ server: StandardMailServer,
        _ time: WorldTime,
        _ disk: Disk,
        _ killPoints: KillPoints?,
        _ dice: inout Dice
    ) async throws -> (Mail, ProcessLifetime, MailWire) {
        let lifetime = ProcessLifetime(disk, killPoints)
        let wire = MailWire(server, lifetime)
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.sharesEngine = false
        configuration.transport = wire
        configuration.clock = DeviceClock(time: time) { await Task.yield() }
        configuration.random = dice.source()
        configuration.writeHook = { moment in try lifetime.check(moment) }
        let mail = try await Mail.open(
            server: StandardMailServer.url,
            credentials: .basic(user: StandardMailServer.user) { "secret" },
            directory: folder(root, name, generation),
            configuration: configuration
        )
        return (mail, lifetime, wire)
    }

    /// Begins a new process with the files as they are. What the old one still holds doesn't count.
    func restart() async throws {
        lifetime.kill()
        let (old, oldMail) = (Self.folder(root, name, generation), mail)
        generation += 1
        let new = Self.folder(root, name, generation)
        try FileManager.default.copyItem(at: old, to: new)
        (mail, lifetime, wire) = try await Self.open(root, name, generation, server, time, disk, killPoints, &dice)
        await oldMail.close()
        try? FileManager.default.removeItem(at: old)
    }

    func close() async { await mail.close() }
}
