import Foundation
import Groundwork
import InboxClient
import InboxModel
import JMAP

/// Clearing of and signing out on a device, and pushes to it.
extension World {
    /// Delivers a push to a device: usually of a visible message, sometimes too early or too late.
    func push(to device: SimulatedDevice, _ process: DeviceProcess) async {
        let all = sent.values.filter(\.isForPerson).sorted { $0.id < $1.id }
        let candidates = dice.chance(0.8) ? all.filter(\.isVisible) : all
        guard let message = dice.pick(candidates), let before = try? await state(of: process) else { return }
        var content = JSONObject([
            ("id", .string(message.id)), ("person", .string(Self.person)), ("title", .string(message.title)),
            ("deliverAt", JSON(message.deliverAt)),
        ])
        content["expiresAt"] = message.expiresAt.map { JSON($0) }
        let payload = Data(JSON.object(JSONObject([("inbox", .object(content))])).utf8)
        device.hasChanged = true
        note("\(device.name) receives a push of \(message.id)")
        let isDone = await write(device, process) { inbox in try await inbox.receive(push: payload) != nil }
        guard let isDone, let after = try? await state(of: device) else { return }
        if after.rows[message.id]?.isProvisional == true { device.provisionalIDs.insert(message.id) }
        if isDone.value == true {
            expect(before.rows[message.id] == nil, "\(device.name) accepts a push of \(message.id), which it has")
            expect(after.rows[message.id]?.isProvisional == true, "\(device.name) doesn't show an accepted push")
        }
        guard before.rows[message.id] == nil else {
            expect(after.rows[message.id]?.shown == before.rows[message.id]?.shown, "a push changed \(message.id)")
            return
        }
        // A push has no personal values.
        for path in device.historyPositions.keys where path.id == message.id { device.historyPositions[path] = nil }
    }

    /// Clears a device, which keeps pending writes and deleted messages.
    func clear(_ device: SimulatedDevice, _ process: DeviceProcess) async {
        guard let before = try? await state(of: process) else { return }
        device.hasChanged = true
        note("\(device.name) is cleared")
        let isDone: Done<Void>? = await write(device, process) { inbox in try await inbox.clearAll() }
        guard isDone != nil else { return await expectUnchanged(before, on: device) }
        device.isCleared = true
        guard let after = try? await state(of: device) else { return }
        let deleted = before.rows.filter { $0.value.shown["deletedAt"] != .null }
        expect(
            Set(after.rows.keys) == Set(deleted.keys),
            "\(device.name) is cleared and has \(after.rows.keys.sorted())"
        )
        expect(
            after.unsealed == before.unsealed && after.sealed == before.sealed && after.queued == before.queued,
            "\(device.name) is cleared and has lost pending writes"
        )
    }

    /// The result of a committed write. The value is nil if the process died after the commit.
    private struct Done<Value: Sendable>: Sendable { var value: Value? }

    /// Writes on a device whose process may die or find the disk full.
    ///
    /// - Returns: Nil if nothing was committed.
    private func write<Value: Sendable>(
        _ device: SimulatedDevice,
        _ process: DeviceProcess,
        _ body: @Sendable (Inbox) async throws -> Value
    ) async -> Done<Value>? {
        let (failures, commits) = (process.lifetime.failures, process.lifetime.commits)
        plan(process, within: 2)
        do {
            let value = try await body(process.inbox)
            process.lifetime.plan(nil)
            return Done(value: value)
        } catch {
            process.lifetime.plan(nil)
            note("\(device.name)'s write ended with \(error)")
            expect(
                process.lifetime.isKilled || process.lifetime.failures > failures,
                "\(device.name) can't write: \(error)"
            )
            let isDone = process.lifetime.commits > commits
            if process.lifetime.isKilled { await replace(process, of: device, isKill: true) }
            return isDone ? Done() : nil
        }
    }

    /// Signs out on a device. Another person may use it before the person returns to an empty store.
    func signOut(_ device: SimulatedDevice, _ process: DeviceProcess) async {
        guard device.syncingProcess == nil, let place = devices.firstIndex(where: { $0 === device }) else { return }
        // From now on, no other event concerns the device.
        device.syncingProcess = process
        device.isSignedOut = true
        note("\(device.name) signs out")
        do {
            let unsent = try await process.inbox.signOut()
            note("\(device.name) has signed out, \(unsent) unsent")
            let undecided = device.expectedValues.filter { ledger.decided[device.name]?[$0.key] != $0.value }
            let lost = Set(undecided.keys.map(\.id)).count
            expect(unsent >= lost, "\(device.name) reports \(unsent) unsent messages, but \(lost) are unsent")
        } catch {
            expect(process.lifetime.isKilled, "\(device.name) can't sign out: \(error)")
        }
        for other in device.processes {
            if other !== process, (try? await state(of: other)) != nil {
                expect(false, "\(device.name): another process still reads after the sign-out")
            }
            await other.inbox.close()
            other.lifetime.kill()
        }
        events.recordSignOut(on: device.name)
        signedOutDevices.append(device)
        let next = SimulatedDevice(
            name: device.name + "'",
            folder: device.folder,
            limit: device.limit,
            firstLimit: device.firstLimit
        )
        devices[place] = next
        if dice.chance(0.5) { await runOtherPersonsSession(next) }
        await open(next)
        guard let state = try? await state(of: next) else { return expect(false, "\(next.name) can't be read") }
        expect(
            state.rows.isEmpty && state.pendingCount == 0 && state.queued == 0 && state.state == nil,
            "\(next.name) has data from before the sign-out"
        )
    }

    /// Lets another person sign in on the device, see only their own messages and sign out, without failures.
    private func runOtherPersonsSession(_ device: SimulatedDevice) async {
        let name = "bo"
        // The device's clock hides expired messages even if the server is late.
        await runDueWork()
        guard let server = try? await anyServer() else { return expect(false, "a server can't go on") }
        note("\(name) uses \(device.name)")
        var configuration = InboxConfiguration()
        configuration.isLive = false
        configuration.sharesEngine = false
        (configuration.deviceLimit, configuration.newDeviceLimit) = (.all, .all)
        configuration.random = dice.source()
        configuration.clock = DeviceClock(time: time) {}
        configuration.transport = SimulatedTransport { try await server.answer($0) }
        do {
            let inbox = try await Inbox.open(
                server: SimulatedServer.url,
                person: name,
                directory: device.folder,
                configuration: configuration
            ) { try await server.token(for: name) }
            try await inbox.sync()
            let shown = Set(try await inbox.messages(.active).map(\.id) + inbox.messages(.deleted).map(\.id))
            let theirs = try await server.messages(of: name, chunk: core.maxObjectsInGet)
            expect(shown == Set(theirs.keys), "\(name) sees \(shown.sorted()), but should see \(theirs.keys.sorted())")
            _ = try await inbox.signOut()
        } catch {
            recordFailure(of: "letting \(name) use \(device.name)", error)
        }
    }
}
