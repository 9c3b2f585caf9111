import Foundation
import Groundwork

extension World {
    private enum WorldEvent {
        case action, sync, sending, editing, recalling, settings, time, month, kill, close, restart, lateArrival
        case push, clearing, signOut, loadOlder, disk
    }

    /// Performs one random event.
    func runRandomEvent() async {
        let event: WorldEvent = dice.pick([
            .action: 34, .sync: 26, .sending: 12, .editing: 5, .recalling: 2, .settings: 4, .time: 12, .month: 1,
            .kill: 3, .close: 1, .restart: 2, .lateArrival: 6, .push: 4, .clearing: 2, .signOut: 1, .loadOlder: 3,
            .disk: 3,
        ])
        guard let device = dice.pick(devices.filter { !$0.isSignedOut }), let process = dice.pick(device.processes)
        else {
            return
        }
        switch event {
        case .action: await act(on: device, process)
        case .sync: await sync(process, on: device)
        case .sending: await send()
        case .editing: await edit()
        case .recalling: await recall()
        case .settings: await setSettings()
        case .time: await advanceTime(dice.pick([60: 4, 600: 4, 3_600: 3, 20_000: 2, 90_000: 1]))
        case .month: if await hasNoBatchInFlight() { await advanceTime(31 * 86_400) }
        case .kill: await replace(process, of: device, isKill: true)
        case .close: await replace(process, of: device, isKill: false)
        case .restart: await restart()
        case .lateArrival: await deliverLate()
        case .push: await push(to: device, process)
        case .clearing: await clear(device, process)
        case .signOut: await signOut(device, process)
        case .loadOlder: await loadOlder(process, on: device)
        case .disk:
            device.disk.isFull.toggle()
            note("the disk of \(device.name) \(device.disk.isFull ? "fills" : "has room again")")
        }
    }

    private func advanceTime(_ seconds: Int) async {
        let seconds = dice.int(1...seconds)
        note("\(seconds) s pass")
        time.advance(by: seconds)
        for device in devices { device.hasChanged = true }
        // Sometimes the server is late.
        if dice.chance(0.85) { await runDueWork() }
    }

    func runDueWork() async {
        do {
            try await anyServer().runDueWork()
        } catch {
            recordFailure(of: "due work", error)
        }
        for id in sent.keys { sent[id]?.update(to: time.now) }
    }

    /// Returns whether no batch can arrive a second time. The server remembers batches for 30 days.
    private func hasNoBatchInFlight() async -> Bool {
        guard delayed.isEmpty else { return false }
        for device in devices {
            guard let state = try? await state(of: device), state.sealed.isEmpty, state.queued == 0 else {
                return false
            }
        }
        return true
    }

    private func restart() async {
        do {
            guard try await restartServer() else { return }
            for id in sent.keys { sent[id]?.update(to: time.now) }
        } catch {
            recordFailure(of: "starting the server", error)
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
            recordFailure(of: "a late request", error)
        }
    }
}
