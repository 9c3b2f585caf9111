import Foundation
import Groundwork
import InboxModel
import JMAP

extension World {
    /// Carries a request from a device to the server and its answer back, with random faults.
    ///
    /// The process may die before, during and after the request, and other events may happen while it waits.
    func transmit(_ request: TransportRequest, from name: String, _ lifetime: ProcessLifetime) async throws
        -> TransportResponse
    {
        guard !lifetime.isKilled, let device = device(name) else { throw ProcessKilled() }
        guard !isFaultFree else {
            try lifetime.checkAlive()
            let answer = try await deliver(request, from: name)
            try lifetime.checkAlive()
            return answer
        }
        try await runEventsDuringRequest(device, lifetime)
        var fault = dice.chance(faultRate * 0.5) ? NetworkFault.random(&dice) : .nothing
        let writes = request.body.flatMap { try? JSON(parsing: $0) }.flatMap(SetCall.init)
        // An answer that a batch was too large or refused means that the batch wasn't applied, which must be true.
        if [.writesTooLarge, .writesRefused, .requestTooLarge].contains(fault), writes.map({ !isNew($0.key) }) ?? true {
            fault = .nothing
        }
        if fault != .nothing {
            note("\(name)'s request: \(fault)")
            device.faultCount += 1
        }
        if fault == .writesUnanswered, let writes { try await revertWrite(of: writes, on: device, lifetime) }
        let answer = try await answer(request, from: name, fault)
        try await runEventsDuringRequest(device, lifetime)
        return try corrupted(answer, fault)
    }

    /// Delivers a request to the server and records the results of its writes.
    func deliver(_ request: TransportRequest, from name: String) async throws -> TransportResponse {
        let writes = request.body.flatMap { try? JSON(parsing: $0) }.flatMap(SetCall.init)
        let response = try await anyServer().answer(request)
        if response.status == 200, let sent = request.body.flatMap({ try? JSON(parsing: $0) }) {
            events.apply(sent, try JSON(parsing: response.body))
            for fault in events.faults { expect(false, fault) }
        }
        guard let writes, response.status == 200,
            let outcome = SetOutcome(try JSON(parsing: response.body))
        else { return response }
        let isKnown = ledger.batches[writes.key] != nil
        var changed = ledger.apply(writes, outcome, from: name) { sent[$0]?.isVisible ?? false }
        if let bulk = writes.bulk, !isKnown { changed += try await recordBulkWrite(bulk, from: name) }
        note(
            "the server applies \(writes.key.epoch.prefix(4))/\(writes.key.number)\(isKnown ? " again" : "") of \(name): "
                + changed.map { "\($0) = \(ledger.value($0))" }.joined(separator: ", ")
                + (outcome.refused.isEmpty ? "" : " refused: \(outcome.refused.sorted())")
        )
        for fault in ledger.faults { expect(false, fault) }
        let writeCounts = device(name)?.writeCounts ?? [:]
        for (write, count) in ledger.arrivals[name] ?? [:] {
            expect(
                count <= writeCounts[write] ?? 0,
                "\(name) has sent \(write.path) = \(write.value) twice, under different keys"
            )
        }
        for path in changed where path.field == "deletedAt" {
            sent[path.id]?.purgeAt = ledger.value(path) == .null ? nil : time.now.addingTimeInterval(30 * 86_400)
        }
        let stored = try await anyServer().personalValues(of: Self.person)
        expect(
            stored == ledger.values,
            "after \(writes.key) of \(name) the server has wrong values: "
                + Self.difference(stored, ledger.values)
        )
        return response
    }

    /// Records the changes of a bulk write on the server, and checks them against the expected messages.
    private func recordBulkWrite(_ bulk: MarkAllRead, from name: String) async throws -> [FieldPath] {
        let at = FieldValue(milliseconds: bulk.at.milliseconds)
        let before = ledger.values
        let changed = ledger.apply(bulk: try await anyServer().personalValues(of: Self.person))
        let expected = device(name)?.bulkWrites[at]
        for path in changed {
            expect(ledger.value(path) == at && before[path] == nil, "\(path) was marked though it had a value")
            expect(
                bulk.surface.map { $0 == sent[path.id]?.surface } ?? true,
                "\(path) was marked by \(name)'s write to all of \(bulk.surface ?? "")"
            )
            expect(
                expected?.onServer.contains(path.id) ?? true,
                "\(path) was marked but arrived after \(name)'s write to all"
            )
        }
        func isNull(_ id: String, _ field: String) -> Bool { before[FieldPath(id: id, field: field)] == nil }
        for id in expected?.shown.sorted() ?? [] where sent[id]?.isVisible ?? false {
            let snoozed = before[FieldPath(id: id, field: "snoozedUntil")]?.milliseconds ?? 0
            let isReached =
                isNull(id, "readAt") && isNull(id, "deletedAt") && isNull(id, "archivedAt")
                && snoozed <= bulk.at.milliseconds && bulk.surface.map { $0 == sent[id]?.surface } ?? true
            expect(
                !isReached || changed.contains(FieldPath(id: id, field: "readAt")),
                "\(id) wasn't marked by \(name)'s write to all"
            )
        }
        return changed
    }

    static func difference(_ one: [FieldPath: FieldValue], _ other: [FieldPath: FieldValue]) -> String {
        Set(one.keys).union(other.keys).sorted().filter { one[$0] != other[$0] }
            .map { "\($0) is \(one[$0] ?? .null), not \(other[$0] ?? .null)" }.joined(separator: ", ")
    }

    /// Returns whether a batch was never sent to the server.
    private func isNew(_ key: Batch) -> Bool {
        ledger.batches[key] == nil
            && !delayed.contains { held in
                held.request.body.flatMap { try? JSON(parsing: $0) }.flatMap(SetCall.init)?.key == key
            }
    }

    /// Performs random events while a request or its answer is in flight.
    private func runEventsDuringRequest(_ device: SimulatedDevice, _ lifetime: ProcessLifetime) async throws {
        if dice.chance(faultRate * 0.03) {
            note("\(device.name) dies at a request")
            lifetime.kill()
        } else if depth < 2, dice.chance(0.2) {
            depth += 1
            for device in devices { device.eventsDuringRequests += 1 }
            time.advance(by: 1)
            if dice.chance(0.4), !device.isSignedOut, let process = dice.pick(device.processes) {
                await act(on: device, process)
            } else {
                await runRandomEvent()
            }
            depth -= 1
        }
        if lifetime.isKilled { throw ProcessKilled() }
    }

    /// Reverts one of the writes in flight, which get no answer, and edits the same message on the server. The device
    /// then receives the message with two values of a field and must show the newer one.
    private func revertWrite(of writes: SetCall, on device: SimulatedDevice, _ lifetime: ProcessLifetime) async throws {
        guard depth < 2, !device.isSignedOut, let process = device.processes.first(where: { $0.lifetime === lifetime }),
            let (path, value) = dice.pick(
                writes.values.filter { $0.key.field != "seenAt" }.sorted { $0.key < $1.key }
            ), let before = try? await state(of: process), before.row(path.id) != nil
        else { return }
        depth += 1
        for device in devices { device.eventsDuringRequests += 1 }
        time.advance(by: 1)
        let action: Action =
            switch path.field {
            case "readAt": value == .null ? .read : .unread
            case "archivedAt": value == .null ? .archive : .unarchive
            case "snoozedUntil": value == .null ? .snooze : .unsnooze
            default: value == .null ? .delete : .undelete
            }
        await perform(action, on: [path.id], of: before, device, process)
        if let message = sent[path.id] { await edit(message) }
        depth -= 1
        if lifetime.isKilled { throw ProcessKilled() }
    }

    private func answer(
        _ request: TransportRequest,
        from name: String,
        _ fault: NetworkFault
    ) async throws -> TransportResponse {
        func status(_ status: Int, _ headers: [String: String] = [:], _ body: JSON = [:]) -> TransportResponse {
            TransportResponse(status: status, headers: headers, body: body.utf8, url: request.url)
        }
        func changed(_ change: (JSON) -> JSON) -> TransportRequest {
            var request = request
            request.body = request.body.flatMap { try? JSON(parsing: $0) }.map { change($0).utf8 }
            return request
        }
        switch fault {
        case .lost: throw TransportError.unreachable("lost")
        case .delayed:
            delayed.append((request, name))
            throw TransportError.timedOut(after: 30)
        case .duplicated:
            let first = try await deliver(request, from: name)
            let second = try await deliver(request, from: name)
            return dice.chance(0.5) ? first : second
        case .refused:
            let headers = dice.chance(0.7) ? ["retry-after": String(dice.int(1...90))] : [:]
            return status(dice.chance(0.5) ? 429 : 503, headers)
        case .unauthorized: return status(401)
        case .requestTooLarge: return status(413)
        case .writesUnanswered, .writesTooLarge, .writesRefused:
            var response = try await deliver(changed(Tampering.withoutWrites), from: name)
            let type: String =
                switch fault {
                case .writesTooLarge: "requestTooLarge"
                case .writesRefused: "forbidden"
                default: dice.chance(0.5) ? "serverFail" : "serverUnavailable"
                }
            if let writes = request.body.flatMap({ try? JSON(parsing: $0) }).flatMap(SetCall.init),
                response.status == 200
            {
                if fault == .writesRefused { ledger.recordRefusal(of: writes, from: name) }
                response.body = Tampering.refusingWrites(try JSON(parsing: response.body), type).utf8
            }
            return response
        case .unknownState: return try await deliver(changed(Tampering.withUnknownState), from: name)
        default: return try await deliver(request, from: name)
        }
    }

    private func corrupted(_ response: TransportResponse, _ fault: NetworkFault) throws -> TransportResponse {
        var response = response
        func change(_ change: (JSON) -> JSON) {
            if let json = try? JSON(parsing: response.body) { response.body = change(json).utf8 }
        }
        switch fault {
        case .answerLost: throw TransportError.unreachable("the answer is lost")
        case .answerCut: response.body = Array(response.body.prefix(dice.int(0...max(0, response.body.count - 1))))
        case .answerGarbled:
            let bodies: [JSON] = [
                [:], "", ["methodResponses": [], "sessionState": "x"], ["methodResponses": [["error"]]],
            ]
            response.body = dice.chance(0.3) ? Array("<html>".utf8) : (dice.pick(bodies) ?? .null).utf8
        case .answerTooLarge: change(Tampering.withTooManyRecords)
        case .newSession: change(Tampering.withNewSession)
        case .badGateway: return TransportResponse(status: 502, body: Array("<html>".utf8), url: response.url)
        default: break
        }
        return response
    }
}
