import Foundation
import Groundwork
import InboxMail
import StandardMailServer

/// A person's device that writes mail, in one process or in two that share a store. When its only process dies, that
/// leaves a copy of its files at that moment, with which the next one begins.
final class MailDevice {
    /// A process of the device.
    private struct Running {
        let mail: Mail
        let lifetime: ProcessLifetime
        let wire: MailWire
    }

    let name: String
    let disk = Disk()
    private let root: URL
    private var generation = 0
    private let server: StandardMailServer
    private let time: WorldTime
    private let killPoints: KillPoints?
    private var dice: Dice
    private var processes: [Running] = []
    /// The process that acts.
    private var current = 0

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
        processes = [try await open()]
    }

    var mail: Mail { processes[current].mail }
    var lifetime: ProcessLifetime { processes[current].lifetime }
    var wire: MailWire { processes[current].wire }
    var wires: [MailWire] { processes.map(\.wire) }

    private var folder: URL { root.appendingPathComponent("\(name)-\(generation)", isDirectory: true) }

    private func open() async throws -> Running {
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
            directory: folder,
            configuration: configuration
        )
        return Running(mail: mail, lifetime: lifetime, wire: wire)
    }

    /// Lets the other process act from now on, or begins it.
    func switchProcess() async throws {
        if processes.count == 1 { processes.append(try await open()) }
        current = 1 - current
    }

    /// Begins a new process in place of the one that acts. What the old one still holds doesn't count.
    func restart() async throws {
        lifetime.kill()
        let oldMail = mail
        if processes.count == 2 {
            // The system releases what a dead process has locked. It can't write any more.
            await oldMail.close()
            processes[current] = try await open()
            return
        }
        let old = folder
        generation += 1
        try FileManager.default.copyItem(at: old, to: folder)
        processes = [try await open()]
        await oldMail.close()
        try? FileManager.default.removeItem(at: old)
    }

    /// Begins again without any files, after the person has signed out.
    func renew() async throws {
        let old = folder
        for process in processes { process.lifetime.kill() }
        for process in processes { await process.mail.close() }
        try? FileManager.default.removeItem(at: old)
        generation += 1
        processes = [try await open()]
        current = 0
    }

    /// Ends all faults.
    func recover() {
        disk.isFull = false
        for process in processes {
            process.wire.plan(nil)
            process.wire.setOffline(false)
            process.lifetime.plan(nil)
        }
    }

    func close() async { for process in processes { await process.mail.close() } }
}
