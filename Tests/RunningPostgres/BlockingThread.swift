import Foundation
package import Postgres

/// Runs blocking code on a new thread, within the test's task: a failed expectation is this test's.
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await BlockingThread().run(body)
}

private actor BlockingThread {
    private let executor = NewThreads()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func run<Value: Sendable>(_ body: @Sendable () throws -> Value) throws -> Value { try body() }
}

/// A connection that one thread after the other uses.
package actor Held {
    private let executor = NewThreads()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let connection: PostgresConnection

    package init(_ connection: sending PostgresConnection) { self.connection = connection }

    package func use<Value: Sendable>(_ body: @Sendable (PostgresConnection) -> Value) -> Value { body(connection) }
}

/// Runs each piece of an actor's work on a new thread.
private final class NewThreads: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
