import Foundation
import Groundwork
import InboxModel
import JMAP

@testable import InboxClient
@testable import Replica

extension World {
    /// Ends all failures: delayed requests arrive, all devices sync, and then all devices must agree with the server.
    func settle() async throws {
        note("no failures from now on")
        while !delayed.isEmpty, failure == nil { await deliverLate() }
        isFaultFree = true
        for device in devices { device.disk.isFull = false }
        // Longer than any Retry-After of the server.
        time.advance(by: 7_200)
        await runDueWork()
        await settleServers()
        for _ in 0..<2 {
            for device in devices {
                for process in device.processes { await sync(process, on: device) }
            }
        }
        try await checkDevices()
        guard failure == nil else { return }
        try await expectAllAgree()
        try await checkServers()
    }

    private func expectAllAgree() async throws {
        let fresh = SimulatedDevice(
            name: "fresh",
            folder: folder.appendingPathComponent("fresh"),
            limit: nil,
            firstLimit: nil
        )
        devices.append(fresh)
        await open(fresh)
        if let process = fresh.processes.first { await sync(process, on: fresh) }
        var states: [String: String] = [:]
        for device in devices {
            guard let process = device.processes.first else { continue }
            await expectAgreement(of: process, on: device)
            let state = try await state(of: process)
            expect(state.pendingCount == 0, "\(device.name) still has pending writes")
            for surface in StoreState.surfaces {
                let title = try await process.inbox.settings(surface: surface)?.title
                expect(title == titles[surface], "\(device.name) titles \(surface) \(title ?? "nothing")")
            }
            states[device.name] = state.state
            for (path, value) in device.expectedValues {
                expect(ledger.decided[device.name]?[path] == value, "\(device.name)'s \(path) = \(value) is lost")
            }
        }
        expect(Set(states.values).count == 1, "the devices are at different states: \(states)")

        let messages = try await anyServer().messages(of: Self.person, chunk: core.maxObjectsInGet)
        let visible = sent.values.filter(\.isVisible)
        expect(
            Set(messages.keys) == Set(visible.map(\.id)),
            "the server has \(messages.keys.sorted()), and should have \(visible.map(\.id).sorted())"
        )
        for message in visible {
            let stored = messages[message.id]
            expect(
                stored?.title == message.title,
                "\(message.id) has the title \(stored?.title ?? ""), not \(message.title)"
            )
            expect(
                stored?.deliverAt == message.deliverAt && stored?.expiresAt == message.expiresAt,
                "\(message.id)'s dates differ"
            )
        }
        let decided = events.accepted.union(events.refused)
        let missing = events.tracked.subtracting(decided).subtracting(events.lost)
        expect(missing.isEmpty && decided.isSubset(of: events.tracked), "lost: \(missing.sorted())")
        // The server deletes events after 90 days.
        let kept = try await anyServer().clicks(of: Self.person)
        expect(kept.count == Set(kept).count, "the server has an event twice")
        expect(events.accepted.isSuperset(of: kept), "the server has events that no device sent")

        let count = try await anyServer().sentCount()
        expect(count == sent.count, "a message was sent twice or not at all")
        let stored = try await anyServer().personalValues(of: Self.person)
        expect(stored == ledger.values, "the server's values: \(Self.difference(stored, ledger.values))")
    }
}
