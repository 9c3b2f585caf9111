import Groundwork
import JMAP
public import ReplicaTesting

/// Faults of a server, for tests of an app's behavior in failures.
///
/// ```swift
/// let server = ScriptedServer(person: "alice")
/// server.deliver(Message(id: "m1", title: "Hello", deliverAt: Date()))
/// server.refuse("m1", with: .forbidden)             // an archived message returns, and inbox.refusedActions has it
/// server.refuse("m1", with: nil)
/// server.failSets(with: .serverUnavailable)         // changes wait on the device, and are sent later
/// server.setLimits { $0.maxObjectsInSet = 10 }      // many changes take several requests
/// ```
///
/// ``ReplicaTesting/ScriptedTransport/fail(with:)`` has the faults of a network.
extension ScriptedServer {
    /// Refuses later changes of a message.
    ///
    /// - Parameters:
    ///   - id: The message's id.
    ///   - error: The error; nil to allow changes again.
    public func refuse(_ id: String, with error: ScriptedError?) {
        state.withLock { $0.messages.refusals[id] = error?.setError }
    }

    /// Answers each later request to change messages with an error. No change is applied.
    ///
    /// - Parameter error: The error; nil for none.
    public func failSets(with error: ScriptedError?) {
        state.withLock { $0.messages.setFailure = error?.methodError }
    }

    /// Answers each later request to create events with an error. No event is stored. A server without events answers
    /// `ScriptedError.unknownMethod`.
    ///
    /// - Parameter error: The error; nil for none.
    public func failEvents(with error: ScriptedError?) {
        state.withLock { $0.eventFailure = error?.methodError }
    }

    /// Answers each later request about the settings of surfaces with an error.
    ///
    /// - Parameter error: The error; nil for none.
    public func failSurfaces(with error: ScriptedError?) {
        state.withLock { $0.surfaces.failure = error?.methodError }
    }

    /// The limits of a request (RFC 8620, section 2). A client splits larger requests.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of calls in a request.
        public var maxCallsInRequest: Int
        /// The maximum number of records that a call may request.
        public var maxObjectsInGet: Int
        /// The maximum number of records that a call may change.
        public var maxObjectsInSet: Int
    }

    /// Changes the server's limits. A connected client uses them from its next session on.
    public func setLimits(_ change: (inout Limits) -> Void) {
        state.withLock { state in
            var limits = Limits(
                maxCallsInRequest: state.account.core.maxCallsInRequest,
                maxObjectsInGet: state.account.core.maxObjectsInGet,
                maxObjectsInSet: state.account.core.maxObjectsInSet
            )
            change(&limits)
            state.account.core.maxCallsInRequest = limits.maxCallsInRequest
            state.account.core.maxObjectsInGet = limits.maxObjectsInGet
            state.account.core.maxObjectsInSet = limits.maxObjectsInSet
        }
    }
}
