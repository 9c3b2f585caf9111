import Eventually
import Foundation
import Groundwork
import ReplicaTesting
import Screens
import StandardMailServer
import Testing

@testable import InboxMail

/// Mails that the server holds and that are taken back while the outbox is at work on other drafts.
@Suite(.timeLimit(.minutes(5))) struct UndoBesideUploadTests {
    /// Begins a sync in which the upload of a draft's file waits at a gate.
    private func beginUpload(
        _ gate: Gate,
        _ server: StandardMailServer,
        _ device: StandardDevice
    ) async throws -> Task<Void, any Error> {
        device.transport.answer { request in
            if request.url.path.hasPrefix("/upload/") { try await gate.pass() }
            return server.answer(request)
        }
        let draft = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: device.mail.draft("Other"))
        try await device.mail.save(draft, waitsForChanges: false)
        let sync = Task { try await device.mail.sync() }
        #expect(try await eventually { await gate.arrivals == 1 })
        return sync
    }

    /// Begins a sync in which each request to send or hold a mail waits at a gate.
    private func beginSending(
        _ gate: Gate,
        _ server: StandardMailServer,
        _ device: StandardDevice
    ) async throws -> Task<Void, any Error> {
        device.transport.answer { request in
            if request.has("EmailSubmission/set"), request.has(#""create""#) { try await gate.pass() }
            return server.answer(request)
        }
        device.clock.advance(by: 6)
        let sync = Task { try await device.mail.sync() }
        #expect(try await eventually { await gate.arrivals == 1 })
        return sync
    }

    @Test(arguments: [false, true])
    func `a held mail is taken back while an upload of another draft goes on`(isDiscarded: Bool) async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Held")
            let gate = Gate()
            let sync = try await beginUpload(gate, server, device)
            if isDiscarded {
                try await device.mail.discard(held.id)
            } else {
                #expect(try await device.mail.undoSend(held.id)?.isEditable ?? false)
            }
            #expect(server.mails(in: "sent").isEmpty)
            #expect(server.mails(in: "drafts").map { $0["preview"] } == (isDiscarded ? [] : ["Held"]))
            #expect(device.uploads == 1)
            await gate.open()
            try await sync.value
            for _ in 0..<2 { try await device.settle(3_700) }
            #expect(device.uploads == 1 && server.textsToBob.isEmpty)
            let saved = server.mails(in: "drafts").compactMap { $0["preview"]?.stringValue }.sorted()
            #expect(saved == (isDiscarded ? ["Other"] : ["Held", "Other"]))
        }
    }

    /// The state of the account's mails in which it is to be sent is over when the request arrives.
    @Test func `a mail that is being sent while another one is taken back is sent once`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Held")
            try await device.mail.send(device.mail.draft("Sent"))
            let gate = Gate()
            let sync = try await beginSending(gate, server, device)
            #expect(try await device.mail.undoSend(held.id)?.isEditable ?? false)
            #expect(server.textsToBob.isEmpty)
            await gate.open()
            try await sync.value
            for _ in 0..<2 { try await device.settle(3_700) }
            #expect(server.textsToBob == ["Sent"])
            #expect(server.mails(in: "sent").map { $0["preview"] } == ["Sent"])
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Held"])
            // It was asked a second time, in the new state.
            #expect(await gate.arrivals == 2)
        }
    }

    @Test func `a mail that is being given to the server is taken back after that`() async throws {
        try await StandardDevice.runHolding { server, device in
            let time = device.clock.now.addingTimeInterval(3_600)
            let draft = try await device.mail.send(device.mail.draft("Held"), later: time)
            let gate = Gate()
            let sync = try await beginSending(gate, server, device)
            let undo = Task { try await device.mail.undoSend(draft.id) }
            #expect(try await eventually { try await device.draft(draft.id)?.isBeingTakenBack ?? false })
            await gate.open()
            #expect(try await undo.value?.isEditable ?? false)
            try await sync.value
            for _ in 0..<2 { try await device.settle(3_700) }
            #expect(await gate.arrivals == 1)
            #expect(server.textsToBob.isEmpty && server.mails(in: "sent").isEmpty)
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Held"])
        }
    }

    @Test func `another process begins nothing while an upload goes on beside a mail taken back`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Held")
            let gate = Gate()
            let sync = try await beginUpload(gate, server, device)
            #expect(try await device.mail.undoSend(held.id)?.isEditable ?? false)
            let other = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            try await other.mail.sync()
            #expect(other.uploads == 0 && other.creations == 0)
            await gate.open()
            try await sync.value
            try await other.settle()
            #expect(other.uploads == 0 && device.uploads == 1)
            await other.mail.close()
        }
    }

    @Test func `a held mail is taken back once another process that is at work has asked`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Held")
            let gate = Gate()
            let sync = try await beginUpload(gate, server, device)
            let other = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            let left = try await other.mail.open.outbox.flush(only: held.id)
            #expect(left.isLeftToOther)
            let hasEnded = Locked(false)
            let undo = Task { () async throws -> MailDraft? in
                defer { hasEnded.withLock { $0 = true } }
                return try await other.mail.undoSend(held.id)
            }
            #expect(try await eventually { try await device.draft(held.id)?.isBeingTakenBack ?? false })
            await gate.open()
            try await sync.value
            let isOver = try await eventually {
                // It looks again after a while.
                if device.clock.sleeperCount > 0 { device.clock.advance(by: 0.1) }
                return hasEnded.withLock { $0 }
            }
            #expect(isOver)
            #expect(try await undo.value?.isEditable ?? false)
            #expect(other.uploads == 0 && server.textsToBob.isEmpty)
            await other.mail.close()
        }
    }

    @Test func `closing ends an upload and a request to take a mail back without answers`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Held")
            let (upload, request) = (Gate(), Gate())
            let sync = try await beginUpload(upload, server, device)
            device.transport.answer { asked in
                if asked.has("EmailSubmission/") { try await request.pass() }
                return server.answer(asked)
            }
            let undo = Task { try await device.mail.undoSend(held.id) }
            #expect(try await eventually { await request.arrivals == 1 })
            await device.mail.close()
            await #expect(throws: (any Error).self) { try await sync.value }
            await #expect(throws: (any Error).self) { _ = try await undo.value }
            // The next process takes it back.
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            for _ in 0..<2 { try await next.settle(300) }
            #expect(try await next.draft(held.id)?.state == .draft)
            #expect(server.mails(in: "sent").isEmpty && server.textsToBob.isEmpty)
            await next.mail.close()
        }
    }

    // MARK: - One draft

    @Test func `work on a draft waits for the end of other work on it, and on no other draft`() async {
        var work = OutboxWork()
        let (first, other) = (work.begin("a"), work.begin("b"))
        #expect(first == nil && other == nil)
        let waits = [work.begin("a"), work.begin("a")].compactMap { $0 }
        #expect(waits.count == 2)
        work.end("a")
        // They have ended.
        for wait in waits { for await _ in wait {} }
        let next = work.begin("a")
        #expect(next == nil)
    }

    @Test func `work on all drafts follows earlier work on all, that on one draft follows none`() {
        var work = OutboxWork()
        let calls = (0..<3).map { _ in OutboxWork.Call { Outbox.Progress() } }
        work.add(calls[0], on: nil)
        work.add(calls[1], on: "a")
        work.add(calls[2], on: nil)
        #expect(work.predecessors(on: nil) == [calls[0], calls[2]] && work.predecessors(on: "b").isEmpty)
        #expect(Set(work.calls) == Set(calls))
        work.remove(calls[0])
        work.remove(calls[1])
        #expect(work.calls == [calls[2]] && work.predecessors(on: nil) == [calls[2]])
    }
}
