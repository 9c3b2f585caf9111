import Groundwork
import JMAP

/// Faults of a server, for tests of what an app shows then.
///
/// ```swift
/// let server = ScriptedServer(person: "alice")
/// server.deliver(Message(id: "m1", title: "Hello", deliverAt: Date()))
/// server.refuse("m1", with: .forbidden)             // an archived message returns, and is in inbox.refusedActions
/// server.refuse("m1", with: nil)
/// server.failSets(with: .serverUnavailable)         // changes wait on the device, and are sent later
/// server.setLimits { $0.maxObjectsInSet = 10 }      // many changes take several requests
/// ```
///
/// ``ScriptedTransport/fail(with:)`` has the faults of a network.
extension ScriptedServer {
    /// Refuses the changes of a message from now on.
    ///
    /// - Parameters:
    ///   - id: The message's id.
    ///   - error: Why; nil to allow them again.
    public func refuse(_ id: String, with error: ScriptedError?) {
        state.withLock { $0.refusals[id] = error?.ofRecord }
    }

    /// Answers each attempt to change messages with an error from now on; none of it is applied.
    ///
    /// - Parameter error: Which one; nil for none.
    public func failSets(with error: ScriptedError?) {
        state.withLock { $0.setFailure = error?.ofMethod }
    }

    /// Answers each attempt to report events with an error from now on; none is taken. `ScriptedError.unknownMethod` is
    /// the answer of a server that takes no events.
    ///
    /// - Parameter error: Which one; nil for none.
    public func failEvents(with error: ScriptedError?) {
        state.withLock { $0.eventFailure = error?.ofMethod }
    }

    /// Answers all about the settings of surfaces with an error from now on.
    ///
    /// - Parameter error: Which one; nil for none.
    public func failSurfaces(with error: ScriptedError?) {
        state.withLock { $0.surfaces.failure = error?.ofMethod }
    }

    /// What one request may ask for (RFC 8620 §2). A client splits what is larger.
    public struct Limits: Hashable, Sendable {
        /// How many calls a request may have.
        public var maxCallsInRequest: Int
        /// How many records one call may ask for.
        public var maxObjectsInGet: Int
        /// How many records one call may change.
        public var maxObjectsInSet: Int
    }

    /// Changes the limits of the server. A connected client uses them after it has fetched the session again.
    public func setLimits(_ change: (inout Limits) -> Void) {
        state.withLock { state in
            var limits = Limits(
                maxCallsInRequest: state.core.maxCallsInRequest,
                maxObjectsInGet: state.core.maxObjectsInGet,
                maxObjectsInSet: state.core.maxObjectsInSet
            )
            change(&limits)
            state.core.maxCallsInRequest = limits.maxCallsInRequest
            state.core.maxObjectsInGet = limits.maxObjectsInGet
            state.core.maxObjectsInSet = limits.maxObjectsInSet
        }
    }
}
