import Foundation
import Groundwork
import InboxClient

@testable import Replica

extension World {
    /// Starts a process on a device's store, as a replacement or in addition.
    func open(_ device: SimulatedDevice, at place: Int? = nil) async {
        let lifetime = ProcessLifetime(device.disk, killPoints)
        let (name, person) = (device.name, Self.person)
        var configuration = InboxConfiguration()
        configuration.isLive = false
        configuration.sharesEngine = false
        configuration.deviceLimit = device.limit.map { .newest($0) } ?? .all
        configuration.newDeviceLimit = device.firstLimit.map { .newest($0) } ?? .all
        configuration.random = dice.source()
        configuration.clock = DeviceClock(time: time) { [weak self] in await self?.runOtherProcess(on: name) }
        configuration.writeHook = { moment in try lifetime.check(moment) }
        configuration.transport = SimulatedTransport { [weak self] request in
            guard let self else { throw ProcessKilled() }
            // A separate task, so that events in the world during the request aren't cancelled with it.
            return try await Task { try await self.transmit(request, from: name, lifetime) }.value
        }
        do {
            let inbox = try await Inbox.open(
                server: SimulatedServer.url,
                person: person,
                directory: device.folder,
                configuration: configuration
            ) { [weak self] in
                guard let self else { throw ProcessKilled() }
                return try await Task { try await self.token(for: name) }.value
            }
            let process = DeviceProcess(inbox: inbox, lifetime: lifetime)
            if let place { device.processes[place] = process } else { device.processes.append(process) }
        } catch  where device.disk.isFull {
            note("\(name) can't be opened while its disk is full: \(error)")
            device.disk.isFull = false
            await open(device, at: place)
        } catch {
            recordFailure(of: "opening \(name)", error)
        }
    }

    func device(_ name: String) -> SimulatedDevice? { (devices + signedOutDevices).first { $0.name == name } }

    /// Ends a process and starts a replacement.
    ///
    /// - Parameter isKill: Whether the process ends in the middle of its work, as by `kill -9`.
    func replace(_ process: DeviceProcess, of device: SimulatedDevice, isKill: Bool) async {
        guard let place = device.processes.firstIndex(where: { $0 === process }) else { return }
        device.hasChanged = true
        note("\(device.name).\(place) \(isKill ? "dies" : "is closed"), and starts again")
        if isKill {
            process.lifetime.kill()
            // The next process finds the files as the dead one left them, without the changes of closing them.
            if device.processes.count == 1 { copyStore(device) }
        }
        await process.inbox.close()
        process.lifetime.kill()
        await open(device, at: place)
    }

    private func copyStore(_ device: SimulatedDevice) {
        let left = folder.appendingPathComponent("\(device.name)-\(log.count)")
        do {
            try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
            for file in try FileManager.default.contentsOfDirectory(at: device.folder, includingPropertiesForKeys: nil)
            where file.pathExtension == "sqlite" || file.path.hasSuffix("-wal") {
                try FileManager.default.copyItem(at: file, to: left.appendingPathComponent(file.lastPathComponent))
            }
            device.folder = left
        } catch {
            recordFailure(of: "copying a store", error)
        }
    }

    /// Returns a token from the app's backend, or fails at random.
    func token(for device: String) async throws -> String {
        if !isFaultFree, dice.chance(faultRate * 0.05) {
            note("\(device) gets no token")
            self.device(device)?.faultCount += 1
            throw TransportError.unreachable("the app's backend is away")
        }
        return try await anyServer().token(for: Self.person)
    }

    /// Runs the process that another one waits for.
    func runOtherProcess(on name: String) async {
        guard let device = device(name) else { return }
        depth += 1
        defer { depth -= 1 }
        guard let other = device.processes.first(where: { $0 !== device.syncingProcess }),
            isFaultFree || dice.chance(0.6)
        else {
            note("\(name) waits without a result")
            return time.advance(by: 16)
        }
        if !isFaultFree, dice.chance(0.2) { return await replace(other, of: device, isKill: dice.chance(0.5)) }
        await runSync(of: other, on: device)
    }

    /// Syncs a process.
    func sync(_ process: DeviceProcess, on device: SimulatedDevice) async {
        guard device.syncingProcess == nil else { return }
        device.syncingProcess = process
        await runSync(of: process, on: device)
        device.syncingProcess = nil
    }

    /// Loads older messages than the device's limit.
    func loadOlder(_ process: DeviceProcess, on device: SimulatedDevice) async {
        guard device.syncingProcess == nil else { return }
        device.syncingProcess = process
        device.hasChanged = true
        let limit = dice.int(1...4)
        note("\(device.name) loads \(limit) older messages")
        plan(process)
        do {
            let count = try await process.inbox.loadOlder(limit: limit)
            process.lifetime.plan(nil)
            note("\(device.name) has loaded \(count)")
            expect(count <= limit, "\(device.name) loaded \(count) of \(limit)")
        } catch {
            process.lifetime.plan(nil)
            note("\(device.name) hasn't loaded them: \(error)")
        }
        if process.lifetime.isKilled { await replace(process, of: device, isKill: true) }
        device.syncingProcess = nil
    }

    private func runSync(of process: DeviceProcess, on device: SimulatedDevice) async {
        let (faultCount, eventsDuringRequests) = (device.faultCount, device.eventsDuringRequests)
        let failures = process.lifetime.failures
        device.hasChanged = true
        let place = device.processes.firstIndex { $0 === process } ?? 0
        plan(process)
        note("\(device.name).\(place) syncs")
        do {
            try await process.inbox.sync()
            process.lifetime.plan(nil)
            // The last read of the store needs no write, so a death before it may be unnoticed.
            guard !process.lifetime.isKilled else {
                return await replace(process, of: device, isKill: true)
            }
            note("\(device.name).\(place) has synced")
            device.isCleared = false
            // Messages that the server lacks stay provisional.
            if let rows = try? await state(of: process).rows {
                device.provisionalIDs = device.provisionalIDs.filter { rows[$0]?.isProvisional ?? false }
            }
            if device.eventsDuringRequests == eventsDuringRequests, device.processes.count == 1 {
                await expectAgreement(of: process, on: device)
            }
        } catch {
            process.lifetime.plan(nil)
            note("\(device.name).\(place) hasn't synced: \(error)")
            guard !process.lifetime.isKilled else {
                return await replace(process, of: device, isKill: true)
            }
            let code = (error as? InboxError)?.code
            let isExpectedFailure =
                device.faultCount > faultCount || process.lifetime.failures > failures
                || (error as? InboxError)?.retryAfter != nil
                || (code == .otherProcess && device.processes.count > 1 && !isFaultFree)
            expect(isExpectedFailure, "\(device.name) can't sync though nothing is wrong: \(error)")
        }
    }

    /// Plans a random failure during a process's next writes.
    func plan(_ process: DeviceProcess, within moments: Int = 20) {
        guard !isFaultFree else { return }
        if dice.chance(faultRate * 0.15) {
            process.lifetime.plan(.kill, after: dice.int(0...moments))
        } else if dice.chance(faultRate * 0.12) {
            process.lifetime.plan(.fullDisk, after: dice.int(0...moments))
        }
    }
}
