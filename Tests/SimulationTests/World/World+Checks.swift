import Foundation
import Groundwork
import InboxModel
import JMAP

@testable import InboxClient
@testable import Replica

extension World {
    /// Returns the contents of a process's store.
    func state(of process: DeviceProcess) async throws -> StoreState {
        return try await process.inbox.store.read { db in try StoreState(db) }
    }

    func state(of device: SimulatedDevice) async throws -> StoreState? {
        guard let process = device.processes.first(where: { !$0.lifetime.isKilled }) else { return nil }
        return try await state(of: process)
    }

    /// Checks that every device is consistent.
    func checkDevices() async throws {
        for device in devices where device.hasChanged || isFaultFree {
            device.hasChanged = false
            for process in device.processes {
                // A live inbox does this when another process has written.
                if device.processes.count > 1 { try await process.inbox.store.readExternalChanges() }
                let state = try await state(of: process)
                let due = process.inbox.store.nextDue?.milliseconds
                // On a full disk, time advances in memory only.
                expect(
                    due == state.due || device.disk.isFull,
                    "\(device.name) waits until \(due ?? 0), and \(state.due ?? 0) is next"
                )
                checkLists(state, on: device)
                checkValues(state, on: device)
            }
        }
    }

    /// Checks the lists by the rules of a message's phase, and the counts against the rows.
    private func checkLists(_ state: StoreState, on device: SimulatedDevice) {
        let now = time.now.milliseconds
        expect(
            Set(state.rows.keys).isDisjoint(with: state.outlines.keys),
            "\(device.name) has outlines of stored messages"
        )
        for (id, row) in state.rows.merging(state.outlines, uniquingKeysWith: { $1 }) {
            let phase: MessagePhase =
                if row.shown["deletedAt"] != .null {
                    .deleted
                } else if let expiresAt = row.expiresAt, expiresAt <= now {
                    .expired
                } else if row.shown["archivedAt"] != .null {
                    .archived
                } else if let until = row.shown["snoozedUntil"]?.milliseconds, until > now {
                    .snoozed
                } else {
                    .inbox
                }
            expect(row.phase == phase.rawValue, "\(device.name): \(id) is in phase \(row.phase), not \(phase.rawValue)")
        }
        // The server's counts apply until the outline is complete.
        for (part, counts) in state.counts where state.isExact {
            func count(_ phase: MessagePhase, _ isCounted: (StoreState.StoredRow) -> Bool = { _ in true }) -> Int {
                (Array(state.rows.values) + state.outlines.values)
                    .count { $0.phase == phase.rawValue && part.contains($0.surface, $0.category) && isCounted($0) }
            }
            let known = MessageCounts(
                total: count(.inbox),
                unread: count(.inbox) { $0.shown["readAt"] == .null },
                unseen: count(.inbox) { $0.shown["seenAt"] == .null },
                snoozed: count(.snoozed),
                archived: count(.archived)
            )
            expect(counts == known, "\(device.name) counts \(counts) in \(part), but knows \(known)")
        }
        for (part, counts) in state.counts {
            expect(counts.isExact == state.isExact, "\(device.name) reports the wrong exactness of \(part)")
            expect(
                min(counts.total, counts.unread, counts.unseen, counts.snoozed, counts.archived) >= 0,
                "\(device.name) counts \(counts)"
            )
        }
        let unread = state.rows.filter {
            $0.value.phase == MessagePhase.inbox.rawValue && $0.value.shown["readAt"] == .null
        }
        expect(Set(state.lists[.unread] ?? []) == Set(unread.keys), "\(device.name) lists the wrong messages as unread")
        let shown = state.lists.filter { $0.key != .unread }.reduce(0) { $0 + $1.value.count }
        let expired = state.rows.values.count { $0.phase == MessagePhase.expired.rawValue }
        expect(shown + expired == state.rows.count, "\(device.name) has rows in no list")
        expect(state.setAside == 0, "\(device.name) has set a record aside")
    }

    /// Checks the values: the person's own while they are pending, otherwise the server's, which never return to older
    /// ones.
    private func checkValues(_ state: StoreState, on device: SimulatedDevice) {
        expect(
            state.hasSealedBatch == (!state.sealed.isEmpty || state.hasSealedBulk),
            "\(device.name): a batch without entries, or entries without a batch"
        )
        for (id, row) in state.rows.merging(state.outlines, uniquingKeysWith: { $1 }) {
            for (field, shown) in row.shown {
                let path = FieldPath(id: id, field: field)
                let server = row.server[field] ?? .null
                let right = state.pending(path) ?? server
                let isOfBulk =
                    state.pending(path) == nil && server == .null && ["readAt", "seenAt"].contains(field)
                    && state.bulk.contains(shown)
                expect(shown == right || isOfBulk, "\(device.name) shows \(path) = \(shown), not \(right)")
                let place = ledger.position(of: server, in: path, from: device.historyPositions[path] ?? 0)
                expect(place != nil, "\(device.name) has returned to an older \(path) = \(server)")
                device.historyPositions[path] = place
            }
        }
        // (A new listing removes outlines while it lasts.)
        for path in Set(state.unsealed.keys).union(state.sealed.keys) where state.row(path.id) == nil {
            expect(
                sent[path.id]?.isVisible != true || device.isCleared || !state.isExact
                    || device.provisionalIDs.contains(path.id),
                "\(device.name) has removed \(path.id), which has pending writes"
            )
        }
        // The person's value stays pending until the server has decided it.
        for (path, value) in device.expectedValues where state.pending(path) != value {
            expect(
                ledger.decided[device.name]?[path] == value,
                "\(device.name) has lost \(path) = \(value): it has \(state.pending(path)?.description ?? "nothing")"
            )
        }
    }

    /// Expects that a device that has just synced has the server's data.
    func expectAgreement(of process: DeviceProcess, on device: SimulatedDevice) async {
        do {
            let messages = try await anyServer().messages(of: Self.person, chunk: core.maxObjectsInGet)
            let state = try await state(of: process)
            expect(
                state.unsealed.isEmpty && state.sealed.isEmpty && state.bulk.isEmpty && state.queued == 0,
                "\(device.name) has synced and still has pending writes"
            )
            let listed = try await process.inbox.messages(.active) + process.inbox.messages(.deleted)
            for message in listed {
                // A provisional message stays until it expires.
                if messages[message.id] == nil, state.rows[message.id]?.isProvisional == true { continue }
                expect(
                    messages[message.id] == message,
                    "\(device.name) has \(message), the server \(messages[message.id].map { "\($0)" } ?? "nothing")"
                )
            }
            for (id, row) in state.outlines {
                expect(messages[id] != nil, "\(device.name) still has an outline of \(id)")
                let dates = messages[id].map { [$0.seenAt, $0.readAt, $0.archivedAt, $0.snoozedUntil, $0.deletedAt] }
                let shown = MessageField.personal.map { row.shown[$0.rawValue]?.milliseconds }
                expect(dates?.map { $0?.milliseconds } == shown, "\(device.name)'s outline of \(id) has other dates")
            }
            for message in messages.values {
                expect(state.row(message.id) != nil, "\(device.name) doesn't know \(message.id)")
                let isActive = message.deletedAt == nil && message.expiresAt.map { $0 > time.now } ?? true
                expect(
                    !message.isPinned || !isActive || state.rows[message.id] != nil,
                    "\(device.name) doesn't store \(message.id), which is pinned"
                )
            }
            for (id, row) in state.rows {
                expect(messages[id] != nil || row.isProvisional, "\(device.name) still has \(id)")
                expect(messages[id] == nil || !row.isProvisional, "\(device.name) hasn't fetched \(id)")
            }
            // A new device doesn't fetch deleted messages, and one with a limit doesn't fetch all.
            for message in messages.values
            where device.limit == nil && device.firstLimit == nil && message.deletedAt == nil {
                expect(state.rows[message.id] != nil, "\(device.name) lacks \(message.id)")
            }
            try await expectCounts(of: state, on: device)
        } catch {
            recordFailure(of: "comparing \(device.name) with the server", error)
        }
    }
}

extension World {
    /// Expects that a device that has just synced has the server's counts, regardless of the messages that it stores.
    private func expectCounts(of state: StoreState, on device: SimulatedDevice) async throws {
        expect(state.isExact, "\(device.name) has synced and doesn't know all messages")
        // A provisional message that the server lacks is counted on the device only.
        guard !state.rows.values.contains(where: \.isProvisional) else { return }
        for (part, counts) in try await anyServer().counts(of: Self.person) {
            expect(
                state.counts[part] == counts,
                "\(device.name) counts \(state.counts[part].map { "\($0)" } ?? "nothing") in \(part), the server \(counts)"
            )
        }
    }
}
