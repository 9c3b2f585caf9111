import Foundation
import Groundwork
import InboxService
import Logging
import ServiceLifecycle

/// A service that posts the due payloads of the outbox.
///
/// Delivery is at least once: a payload leaves the outbox only after the receiver's 2xx is known, and a payload
/// in flight when the server stops is sent again. Several payloads are in flight at a time, so they may arrive in
/// another order than they were created in.
struct WebhookSender: Service {
    private let storage: Storage
    private let writer: Writer
    private let clock: any WallClock
    private let random: RandomSource
    private let transport: WebhookTransport
    private let wakeUp: WakeUp
    private let logger: Logger
    private let failures: RetryLog
    // The payloads in flight, by their number in the outbox. The loop adds them, and each delivery removes its own.
    private let running = Locked<[Int: WebhookDelivery]>([:])
    // Several deliveries of a webhook may end at a time.
    private let failing = Locked(FailingWebhooks())

    /// The maximum time of a receiver's whole response, in seconds.
    static let timeout = 15.0
    /// The maximum number of bytes that are read of a response. The rest is discarded.
    static let maxResponseSize = 65_536
    /// The pause after a failure of the server itself, such as a full disk, in seconds, and the longest one after
    /// several.
    private static let pause: TimeInterval = 1
    private static let longestPause: TimeInterval = 60

    init(
        storage: Storage,
        writer: Writer,
        clock: any WallClock,
        random: RandomSource,
        transport: WebhookTransport,
        wakeUp: WakeUp,
        logger: Logger
    ) {
        self.storage = storage
        self.writer = writer
        self.clock = clock
        self.random = random
        self.transport = transport
        self.wakeUp = wakeUp
        self.logger = logger
        failures = RetryLog(logger)
    }

    func run() async throws {
        wakeUp.signal()
        await withDiscardingTaskGroup { group in
            var sleeper: Task<Void, Never>?
            for await _ in wakeUp.signals.cancelOnGracefulShutdown() {
                sleeper?.cancel()
                let due = await due()
                for delivery in due.deliveries {
                    running.withLock { $0[delivery.outbox] = delivery }
                    group.addTask {
                        await deliver(delivery)
                        running.withLock { $0[delivery.outbox] = nil }
                        wakeUp.signal()
                    }
                }
                sleeper = due.next.map { wakeUp.signal(at: $0, by: clock) }
            }
            sleeper?.cancel()
            group.cancelAll()
        }
        await transport.shutDown()
    }

    private func due() async -> DueDeliveries {
        let (now, running) = (clock.now, running.withLock { Array($0.values) })
        do {
            guard storage.isShared else {
                return try await storage.read { reading in try reading.dueDeliveries(at: now, running: running) }
            }
            return try await writer.write { transaction in try transaction.claimDueDeliveries(running: running) }
        } catch {
            failures.record(error, as: "reading the outbox failed; retrying", at: now)
            return DueDeliveries(next: now.addingTimeInterval(Self.pause))
        }
    }

    private func deliver(_ claimed: WebhookDelivery) async {
        guard let delivery = await confirmed(claimed) else { return }
        do {
            let outcome = try await post(delivery)
            let decision = DeliveryMachine.decide(
                after: outcome,
                attempt: delivery.attempts + 1,
                now: clock.now,
                jitter: random.unit()
            )
            log(decision, of: delivery)
            try await store(decision, of: delivery)
        } catch {
            // The server stops. The payload is sent again, by another server or after the next start.
            if storage.isShared { try? await writer.write { transaction in try transaction.release(delivery) } }
        }
    }

    /// Returns a delivery that is still this server's, if several share the database. The commit of the claim may have
    /// waited for so long, or this server have been paused, that another one has claimed it meanwhile.
    ///
    /// - Returns: Nil if it isn't, or if that can't be found out: then the claim ends by itself.
    private func confirmed(_ delivery: WebhookDelivery) async -> WebhookDelivery? {
        guard storage.isShared else { return delivery }
        guard delivery.isClaimed(at: clock.now, for: Self.timeout) else { return nil }
        guard delivery.mayBeLost else { return delivery }
        let again = try? await writer.write(.independent) { transaction in try transaction.claimAgain(delivery) }
        // This may have taken long, too.
        guard let again, again.isClaimed(at: clock.now, for: Self.timeout) else { return nil }
        running.withLock { $0[again.outbox] = again }
        return again
    }

    /// Stores the result of a delivery, again and again while that fails or another transaction has locked the payload:
    /// until it is stored, the payload would be posted again.
    ///
    /// - Throws: `CancellationError` if the server stops.
    private func store(_ decision: DeliveryMachine.Decision, of delivery: WebhookDelivery) async throws {
        var pause = Self.pause
        while true {
            do {
                try await writer.write(decision.scope) { transaction in try transaction.finish(delivery, decision) }
                guard storage.isShared else { return }
                if try await storage.readBriefly({ reading in try reading.isStored(decision, of: delivery) }) { return }
            } catch {
                if error is CancellationError { throw error }
                failures.record(
                    error,
                    as: "storing the result of a webhook delivery failed; retrying",
                    at: clock.now,
                    ["webhook": "\(delivery.webhook)"]
                )
            }
            // Once the claim has ended, another server posts it again.
            if storage.isShared, !delivery.isClaimed(at: clock.now, for: pause) { return }
            try await clock.sleep(seconds: pause)
            pause = min(2 * pause, Self.longestPause)
        }
    }

    private func post(_ delivery: WebhookDelivery) async throws -> DeliveryMachine.Outcome {
        guard let request = delivery.request(at: clock.now) else { return .blockedAddress }
        do {
            let (status, headers) = try await withDeadline(seconds: Self.timeout, clock: clock) { [transport] in
                try await transport.post(request, readingUpTo: Self.maxResponseSize)
            }
            let retryAfter = headers["retry-after"].flatMap { RetryAfter.seconds($0, now: clock.now) }
            return .responded(status: status, retryAfter: retryAfter)
        } catch is WebhookTransport.AddressNotAllowedError {
            return .blockedAddress
        } catch let error as TransportError {
            logger.debug(
                "a webhook got no response",
                metadata: ["webhook": "\(delivery.webhook)", "error": "\(error)"]
            )
            return .failed
        }
    }

    private func log(_ decision: DeliveryMachine.Decision, of delivery: WebhookDelivery) {
        var metadata: Logger.Metadata = ["webhook": "\(delivery.webhook)", "attempt": "\(delivery.attempts + 1)"]
        guard let reason = decision.reason else {
            failing.withLock { $0.succeeded(delivery.webhook) }
            logger.debug("a webhook delivery succeeded", metadata: metadata)
            return
        }
        metadata["reason"] = "\(reason)"
        let now = clock.now
        let isFirst = failing.withLock { $0.failed(delivery.webhook, at: now) }
        switch decision {
        case .delivered: break
        case .retry where isFirst:
            logger.notice("a webhook delivery failed and is retried, as are later ones", metadata: metadata)
        case .retry: logger.debug("a webhook delivery is retried later", metadata: metadata)
        case .dead: logger.warning("a webhook delivery failed", metadata: metadata)
        case .gone: logger.warning("a webhook is gone and disabled", metadata: metadata)
        }
    }
}

extension WebhookDelivery {
    /// Returns the request, with the headers of Standard Webhooks 1.0.0 and signed at the given time.
    ///
    /// - Returns: The request, or nil if the URL can't be parsed.
    func request(at now: Date) -> TransportRequest? {
        guard let url = URL(string: url) else { return nil }
        let timestamp = Int(now.timeIntervalSince1970.rounded(.down))
        let signatures = secrets.map { $0.signature(id: event, timestamp: timestamp, body: body) }
        return TransportRequest(
            method: "POST",
            url: url,
            headers: [
                "Content-Type": "application/json",
                "User-Agent": "swift-inbox",
                "webhook-id": event,
                "webhook-timestamp": String(timestamp),
                "webhook-signature": signatures.joined(separator: " "),
            ],
            body: Array(body.utf8)
        )
    }
}
