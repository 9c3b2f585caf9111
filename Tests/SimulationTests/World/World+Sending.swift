import Foundation
import Groundwork
import InboxModel

/// The app's backend: REST calls with an idempotency key per message, repeated until they are answered.
extension World {
    func send() async {
        let isForPerson = dice.chance(0.9)
        let isBroadcast = dice.chance(0.25)
        let deliverAt = dice.chance(0.35) ? time.now.addingTimeInterval(Double(dice.int(1...20_000))) : nil
        let expiresAt =
            dice.chance(0.4) ? (deliverAt ?? time.now).addingTimeInterval(Double(dice.int(1...50_000))) : nil
        let title = "Number \(sent.count)"
        let audience: JSON =
            isBroadcast
            ? ["everyone": true] : isForPerson ? ["people": ["bo", .string(Self.person)]] : ["person": "bo"]
        let content = content(title, deliverAt, expiresAt)
        let body: JSON = ["to": audience, "message": content]
        guard let answer = await rest("POST", "v1/messages", body, key: "sending-\(sent.count)"),
            let id = answer.json["id"]?.stringValue, answer.status == 201
        else { return expect(false, "sending failed") }
        expect(sent[id] == nil, "\(id) was sent twice")
        let message = SentMessage(
            id: id,
            isBroadcast: isBroadcast,
            isForPerson: isForPerson || isBroadcast,
            title: title,
            surface: content["surface"]?.stringValue ?? Message.defaultSurface,
            deliverAt: deliverAt ?? time.now,
            expiresAt: expiresAt ?? (isBroadcast ? (deliverAt ?? time.now).addingTimeInterval(90 * 86_400) : nil),
            stage: deliverAt == nil ? .shown : .waiting
        )
        sent[id] = message
        note("sent \(id)\(isBroadcast ? " to everyone" : "")\(message.isVisible ? "" : ", not visible now")")
    }

    /// Sets another title of a surface.
    func setSettings() async {
        guard let surface = dice.pick(StoreState.surfaces) else { return }
        let title = "Title \(dice.int(1...1_000))"
        note("\(surface) is now called \(title)")
        do {
            try await anyServer().put(InboxSettings(title: title), surface: surface)
            titles[surface] = title
        } catch {
            recordFailure(of: "setting a title", error)
        }
    }

    private func content(_ title: String, _ deliverAt: Date?, _ expiresAt: Date?) -> JSON {
        var content = JSONObject([
            ("title", .string(title)), ("body", .string(String(repeating: "x", count: dice.int(0...40)))),
        ])
        if dice.chance(0.4) { content.add("surface", .string(dice.pick(StoreState.surfaces) ?? "")) }
        if dice.chance(0.3) { content.add("category", .string(dice.chance(0.5) ? "a" : "b")) }
        if dice.chance(0.1) { content.add("pinned", true) }
        if dice.chance(0.2) { content.add("additionalData", ["n": .string(title)]) }
        if let deliverAt { content.add("deliverAt", JSON(deliverAt)) }
        if let expiresAt { content.add("expiresAt", JSON(expiresAt)) }
        return .object(content)
    }

    func edit() async {
        guard let message = dice.pick(sent.values.sorted { $0.id < $1.id }) else { return }
        await edit(message)
    }

    func edit(_ message: SentMessage) async {
        var message = message
        let title = message.title + "!"
        let isMoved = message.stage == .waiting && dice.chance(0.5)
        let deliverAt = isMoved ? time.now.addingTimeInterval(Double(dice.int(0...20_000))) : message.deliverAt
        var expiresAt: Date?
        if message.isBroadcast || dice.chance(0.4) {
            expiresAt = max(deliverAt, time.now).addingTimeInterval(Double(dice.int(1...50_000)))
        }
        let content = content(title, isMoved ? deliverAt : nil, expiresAt)
        let body: JSON = ["message": content]
        note("edits \(message.id)")
        guard let answer = await rest("PUT", "v1/messages/\(message.id)", body) else { return }
        let status = message.isRecalled ? 404 : message.stage == .gone ? 409 : 200
        expect(answer.status == status, "editing \(message.id): \(answer.status), not \(status): \(answer.json)")
        guard status == 200 else { return }
        (message.title, message.deliverAt, message.expiresAt) = (title, deliverAt, expiresAt)
        message.surface = content["surface"]?.stringValue ?? Message.defaultSurface
        if message.stage == .waiting, deliverAt <= time.now { message.stage = .shown }
        sent[message.id] = message
    }

    func recall() async {
        guard let message = dice.pick(sent.values.sorted { $0.id < $1.id }) else { return }
        note("recalls \(message.id)")
        guard let answer = await rest("DELETE", "v1/messages/\(message.id)") else { return }
        expect(
            answer.status == (message.isRecalled ? 404 : 204) || answer.isRepeat && answer.status == 404,
            "recalling \(message.id): \(answer.status)"
        )
        sent[message.id]?.isRecalled = true
        sent[message.id]?.stage = .gone
    }

    private struct Answer {
        let status: Int
        let json: JSON
        let isRepeat: Bool
    }

    /// Calls the sending API until it answers. Requests and answers can be lost here, too.
    private func rest(_ method: String, _ path: String, _ body: JSON? = nil, key: String? = nil) async -> Answer? {
        var request = TransportRequest(
            method: method,
            url: SimulatedServer.url.appendingPathComponent(path),
            headers: ["Authorization": "Bearer \(SimulatedServer.adminKey)"],
            body: body?.utf8
        )
        if body != nil { request.headers["Content-Type"] = "application/json" }
        if let key { request.headers["Idempotency-Key"] = key }
        let losses = isFaultFree ? 0 : dice.pick([0: 8, 1: 1, 2: 1])
        do {
            for _ in 0..<losses { _ = try await anyServer().answer(request) }
            let response = try await anyServer().answer(request)
            let json = response.body.isEmpty ? .null : try JSON(parsing: response.body)
            return Answer(status: response.status, json: json, isRepeat: losses > 0)
        } catch {
            recordFailure(of: "\(method) \(path)", error)
            return nil
        }
    }
}
