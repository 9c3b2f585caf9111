import Foundation
import Groundwork
import InboxClient
import InboxModel

extension World {
    enum Action: CaseIterable {
        case read, unread, seen, archive, unarchive, snooze, unsnooze, delete, undelete, readAll, readNews, click

        /// The action of another device that conflicts with this one.
        var opposite: Action {
            switch self {
            case .read, .readAll, .readNews, .seen, .click: .unread
            case .unread: .read
            case .archive: .unarchive
            case .unarchive: .archive
            case .snooze: .unsnooze
            case .unsnooze: .snooze
            case .delete: .undelete
            case .undelete: .delete
            }
        }
    }

    /// Performs a random action of the person on a device.
    ///
    /// The expected result is computed from the rows before: the messages that change and their new values. These must
    /// be shown and pending when the call returns, and also if the process dies between the commit and the return.
    func act(on device: SimulatedDevice, _ process: DeviceProcess) async {
        guard let before = try? await state(of: process), !before.rows.isEmpty else { return }
        var action: Action = dice.pick([
            .read: 8, .unread: 5, .seen: 3, .archive: 3, .unarchive: 2, .snooze: 4, .unsnooze: 2, .delete: 3,
            .undelete: 2,
            .readAll: 2, .readNews: 1, .click: 6,
        ])
        // Mostly messages that the action can change.
        let all = (Array(before.rows.keys) + before.outlines.keys).sorted()
        let deleted = all.filter { before.row($0)?.shown["deletedAt"] != .null }
        let candidates = action == .undelete ? deleted : dice.chance(0.9) ? all.filter { !deleted.contains($0) } : all
        var ids = bulkTargets(of: action, in: before) ?? dice.some(candidates)
        // Often the last changed message, possibly of another device.
        if let last, before.row(last.id) != nil, dice.chance(0.5) {
            ids = [last.id]
            action = dice.chance(0.5) ? last.action.opposite : dice.chance(0.5) ? last.action : action
            if action == .readAll || action == .readNews { action = .read }
        }
        await perform(action, on: ids, of: before, device, process)
    }

    /// Returns the messages that "read all" changes on a device: all known unread messages, or those of one surface.
    /// Nil for other actions.
    func bulkTargets(of action: Action, in state: StoreState) -> [String]? {
        switch action {
        case .readAll: state.unread
        case .readNews: state.unread.filter { state.row($0)?.surface == "news" }
        default: nil
        }
    }

    /// Performs an action on some messages.
    ///
    /// - Parameter before: The device's state.
    func perform(
        _ action: Action,
        on all: [String],
        of before: StoreState,
        _ device: SimulatedDevice,
        _ process: DeviceProcess
    ) async {
        if let id = all.first { last = (id, action) }
        // Only stored messages can be clicked.
        let ids = action == .click ? Array(all.filter { before.rows[$0] != nil }.prefix(1)) : all
        let click = EventLedger.Click(device: device.name, number: device.clickCount + 1)
        let until = time.now.addingTimeInterval(Double(dice.pick([-60: 1, 90: 2, 3_600: 3, 100_000: 2])))
        let expected = Self.effect(of: action, on: ids, before, at: time.now, until: until)

        let started = FieldValue(milliseconds: time.now.milliseconds)
        let isBulk = (action == .readAll || action == .readNews) && before.offersOutlines && before.state != nil
        if isBulk {
            let onServer = Set(sent.values.filter { $0.isForPerson && $0.stage != .waiting }.map(\.id))
            device.bulkWrites[started] = (Set(ids), onServer)
        }
        device.hasChanged = true
        let failures = process.lifetime.failures
        let commits = process.lifetime.commits
        plan(process, within: 2)
        note("\(device.name) \(action) \(ids.joined(separator: " "))")
        do {
            let changed = try await Self.run(action, ids, until, click, process.inbox)
            process.lifetime.plan(nil)
            expect(changed == expected.ids, "\(device.name) \(action): changed \(changed), not \(expected.ids)")
        } catch {
            process.lifetime.plan(nil)
            note("\(device.name) \(action) ended with \(error)")
            expect(
                process.lifetime.isKilled || process.lifetime.failures > failures,
                "\(device.name) can't \(action): \(error)"
            )
            // Only committed changes count.
            let isDone = process.lifetime.commits > commits
            if process.lifetime.isKilled { await replace(process, of: device, isKill: true) }
            if !isDone { return await expectUnchanged(before, on: device) }
        }
        if action == .click, !ids.isEmpty {
            device.clickCount += 1
            events.track(click)
        }
        await expectShown(expected.values, before, on: device)
        guard isBulk, let after = try? await state(of: device) else { return }
        // Messages that are sent by id aren't part of the bulk write.
        let named = ids.filter { after.unsealed[FieldPath(id: $0, field: "readAt")] != nil }
        device.bulkWrites[started]?.shown.subtract(named)
    }

    private static func run(
        _ action: Action,
        _ ids: [String],
        _ until: Date,
        _ click: EventLedger.Click,
        _ inbox: Inbox
    ) async throws -> [String] {
        switch action {
        case .read: try await inbox.markRead(ids)
        case .unread: try await inbox.markUnread(ids)
        case .seen: try await inbox.markSeen(ids)
        case .archive: try await inbox.archive(ids)
        case .unarchive: try await inbox.unarchive(ids)
        case .snooze: try await inbox.snooze(ids, until: until)
        case .unsnooze: try await inbox.unsnooze(ids)
        case .delete: try await inbox.delete(ids)
        case .undelete: try await inbox.undelete(ids)
        case .readAll: try await inbox.markAllRead()
        case .readNews: try await inbox.markAllRead(surface: "news")
        case .click:
            if let id = ids.first, try await inbox.click(id, data: click.data) { ids } else { [] }
        }
    }

    /// Returns the expected result of an action: the returned ids and the new values.
    private static func effect(
        of action: Action,
        on ids: [String],
        _ before: StoreState,
        at time: Date,
        until: Date
    ) -> (ids: [String], values: [FieldPath: FieldValue]) {
        func isNull(_ id: String, _ field: String) -> Bool { before.row(id)?.shown[field] == .null }
        let now = FieldValue(milliseconds: time.milliseconds)
        let undeleted = ids.filter { isNull($0, "deletedAt") }
        func set(_ ids: [String], _ field: String, _ value: FieldValue) -> [FieldPath: FieldValue] {
            Dictionary(uniqueKeysWithValues: ids.map { (FieldPath(id: $0, field: field), value) })
        }
        func all(_ field: String, _ value: FieldValue, _ ids: [String]) -> ([String], [FieldPath: FieldValue]) {
            (ids, set(ids, field, value))
        }
        switch action {
        case .read, .readAll, .readNews:
            let changed = undeleted.filter { isNull($0, "readAt") }
            let seen = set(changed.filter { isNull($0, "seenAt") }, "seenAt", now)
            return (changed, set(changed, "readAt", now).merging(seen) { $1 })
        case .click:
            // A click on a deleted message is tracked, but doesn't mark it read.
            return (ids, effect(of: .read, on: ids, before, at: time, until: until).values)
        case .unread: return all("readAt", .null, undeleted.filter { !isNull($0, "readAt") })
        case .seen: return all("seenAt", now, undeleted.filter { isNull($0, "seenAt") })
        case .archive: return all("archivedAt", now, undeleted.filter { isNull($0, "archivedAt") })
        case .unarchive: return all("archivedAt", .null, undeleted.filter { !isNull($0, "archivedAt") })
        case .snooze:
            let value = FieldValue(milliseconds: until.milliseconds)
            return all("snoozedUntil", value, undeleted.filter { before.row($0)?.shown["snoozedUntil"] != value })
        case .unsnooze: return all("snoozedUntil", .null, undeleted.filter { !isNull($0, "snoozedUntil") })
        case .delete: return all("deletedAt", now, undeleted)
        case .undelete: return all("deletedAt", .null, ids.filter { !isNull($0, "deletedAt") })
        }
    }

    func expectUnchanged(_ before: StoreState, on device: SimulatedDevice) async {
        guard let after = try? await state(of: device) else { return expect(false, "\(device.name) can't be read") }
        expect(before.bulk == after.bulk, "\(device.name) has another write to all though the write failed")
        for (id, row) in before.rows.merging(before.outlines, uniquingKeysWith: { $1 }) {
            expect(after.row(id)?.shown == row.shown, "\(device.name) changed \(id) though the write failed")
        }
        expect(before.unsealed == after.unsealed, "\(device.name) has other entries though the write failed")
        expect(before.queued == after.queued, "\(device.name) has other events though the write failed")
    }

    private func expectShown(_ values: [FieldPath: FieldValue], _ before: StoreState, on device: SimulatedDevice) async
    {
        guard let after = try? await state(of: device) else { return expect(false, "\(device.name) can't be read") }
        // Messages that the pending bulk write would change are excluded by id.
        for (path, value) in after.unsealed where value == .null && values[path] == nil && !after.bulk.isEmpty {
            device.writeCounts[FieldWrite(path: path, value: value), default: 0] += 1
        }
        for (path, value) in values {
            expect(after.row(path.id)?.shown[path.field] == value, "\(device.name) doesn't show \(path) = \(value)")
            if after.unsealed[path] == nil {
                // A value that the server already has needs no entry, unless a sealed entry or a bulk write will change
                // it. A value of a pending bulk write needs none either.
                let isUncertain = !after.bulk.isEmpty && ["readAt", "seenAt"].contains(path.field)
                let isRedundant =
                    (before.row(path.id)?.server[path.field] == value && after.sealed[path] == nil && !isUncertain)
                    || after.bulk.contains(value)
                expect(isRedundant, "\(device.name) won't send \(path) = \(value)")
                device.expectedValues[path] = nil
            } else {
                device.expectedValues[path] = value
                device.writeCounts[FieldWrite(path: path, value: value), default: 0] += 1
            }
        }
    }
}
