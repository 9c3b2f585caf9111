import HummingbirdCore
import Logging
import NIOCore

/// A channel whose connections are served by tasks on the threads of their event loops.
///
/// A request and its answer then stay on one thread, unless the database is asked: neither the connection nor its task
/// has to wake another thread. What would hold a thread for long leaves it (``InboxResponder``).
struct EventLoopChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        guard #available(macOS 15, iOS 18, *) else { return await base.handle(value: value, logger: logger) }
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}

/// Runs tasks on the thread of an event loop.
@available(macOS 15, iOS 18, *)
private final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
