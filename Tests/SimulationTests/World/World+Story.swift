import Foundation
import InboxClient

extension World {
    private enum Step {
        case act(Action, [Int], on: String)
        case sync(String)
        case send
    }

    /// A fixed sequence: two devices with conflicting changes, a sender, and syncs in between.
    private static let story: [Step] = [
        .act(.read, [0, 1], on: "phone"), .act(.archive, [1], on: "tablet"), .act(.click, [2], on: "phone"),
        .sync("phone"), .act(.unread, [0], on: "tablet"), .act(.delete, [3], on: "tablet"), .send, .sync("tablet"),
        .act(.readAll, [], on: "phone"), .sync("phone"),
    ]

    /// Runs the story without failures, except that a process may die at one of the world's moments. Then settles the
    /// world and checks that all devices agree.
    ///
    /// - Returns: The first problem, or nil.
    func runStory() async throws -> String? {
        for name in ["phone", "tablet"] {
            let device = SimulatedDevice(
                name: name,
                folder: folder.appendingPathComponent(name),
                limit: nil,
                firstLimit: nil
            )
            devices.append(device)
            await open(device)
        }
        while sent.values.count(where: \.isVisible) < 4, failure == nil { await send() }
        let ids = sent.values.filter(\.isVisible).map(\.id).sorted()
        for device in devices { await sync(device.processes[0], on: device) }
        for (number, step) in Self.story.enumerated() where failure == nil {
            // Each step has its own random numbers, independent of those that an earlier death has consumed.
            dice = Dice(seed &+ UInt64(number))
            time.advance(by: 1)
            try await run(step, ids)
            try await checkDevices()
        }
        killPoints?.end()
        if failure == nil { try await settle() }
        return try await close()
    }

    private func run(_ step: Step, _ ids: [String]) async throws {
        switch step {
        case .act(let action, let places, let name):
            guard let device = device(name) else { return }
            let process = device.processes[0]
            let before = try await state(of: process)
            let all = bulkTargets(of: action, in: before) ?? places.map { ids[$0] }
            await perform(action, on: all.filter { before.row($0) != nil }, of: before, device, process)
        case .sync(let name):
            guard let device = device(name) else { return }
            await sync(device.processes[0], on: device)
        case .send: await send()
        }
    }
}
