import Foundation
import Groundwork

extension World {
    private enum Happening {
        case action, sync, sending, editing, recalling, settings, time, month, death, closing, restart, lateArrival
        case push, clearing, leaving, older, disk
    }

    /// Performs one random event.
    func happen() async {
        let happening: Happening = dice.pick([
            .action: 34, .sync: 26, .sending: 12, .editing: 5, .recalling: 2, .settings: 4, .time: 12, .month: 1,
            .death: 3, .closing: 1, .restart: 2, .lateArrival: 6, .push: 4, .clearing: 2, .leaving: 1, .older: 3,
            .disk: 3,
        ])
        guard let device = dice.pick(devices.filter { !$0.isLeft }), let process = dice.pick(device.processes) else {
            return
        }
        switch happening {
        case .action: await act(on: device, process)
        case .sync: await sync(process, on: device)
        case .sending: await send()
        case .editing: await edit()
        case .recalling: await recall()
        case .settings: await setSettings()
        case .time: await letTimePass(dice.pick([60: 4, 600: 4, 3_600: 3, 20_000: 2, 90_000: 1]))
        case .month: if await isNothingOnItsWay() { await letTimePass(31 * 86_400) }
        case .death: await replace(process, of: device, isDeath: true)
        case .closing: await replace(process, of: device, isDeath: false)
        case .restart: await restartServer()
        case .lateArrival: await deliverLate()
        case .push: await push(to: device, process)
        case .clearing: await clear(device, process)
        case .leaving: await leave(device, process)
        case .older: await loadOlder(process, on: device)
        case .disk:
            device.disk.isFull.toggle()
            note("the disk of \(device.name) \(device.disk.isFull ? "fills" : "has room again")")
        }
    }

    private func letTimePass(_ seconds: Int) async {
        let seconds = dice.int(1...seconds)
        note("\(seconds) s pass")
        time.advance(by: seconds)
        for device in devices { device.isTouched = true }
        // Sometimes the server is late.
        if dice.chance(0.85) { await doWhatIsDue() }
    }

    func doWhatIsDue() async {
        do {
            try await server.doWhatIsDue()
        } catch {
            expectNothing("due work", error)
        }
        for id in sent.keys { sent[id]?.pass(time.now) }
    }

    /// Returns whether no batch can arrive a second time. The server remembers batches for 30 days.
    private func isNothingOnItsWay() async -> Bool {
        guard delayed.isEmpty else { return false }
        for device in devices {
            guard let state = try? await state(of: device), state.sealed.isEmpty, state.queued == 0 else {
                return false
            }
        }
        return true
    }

    /// Ends the server, as by `kill -9`, and starts it again.
    private func restartServer() async {
        note("the server starts again")
        do {
            try server.close()
            server = try await SimulatedServer(
                file: folder.appendingPathComponent("server.sqlite"),
                clock: time,
                random: serverRandom,
                core: core
            )
            for id in sent.keys { sent[id]?.pass(time.now) }
        } catch {
            expectNothing("starting the server", error)
        }
    }

    /// Delivers a delayed request whose answer isn't received any more.
    func deliverLate() async {
        guard !delayed.isEmpty else { return }
        let late = delayed.remove(at: dice.int(0...delayed.count - 1))
        note("a request of \(late.device) arrives late")
        do {
            _ = try await deliver(late.request, from: late.device)
        } catch {
            expectNothing("a late request", error)
        }
    }
}
