import Groundwork
import JMAP

/// Server faults, for tests of an app's reactions.
///
/// ```swift
/// let server = ScriptedServer(person: "alice")
/// server.deliver(Message(id: "m1", title: "Hello", deliverAt: Date()))
/// server.refuse("m1", with: .forbidden)             // an archived message returns, and is in inbox.refusedActions
/// server.refuse("m1", with: nil)
/// server.failSets(with: .serverUnavailable)         // changes stay pending on the device and are sent later
/// server.setLimits { $0.maxObjectsInSet = 10 }      // many changes need several requests
/// ```
///
/// For network faults, see ``ScriptedTransport/fail(with:)``.
extension ScriptedServer {
    /// Refuses changes of a message from now on.
    ///
    /// - Parameters:
    ///   - id: The message's id.
    ///   - error: The reason, or nil to accept changes again.
    public func refuse(_ id: String, with error: ScriptedError?) {
        state.withLock { $0.refusals[id] = error?.ofRecord }
    }

    /// Returns an error for each attempt to change messages from now on. None of the changes is applied.
    ///
    /// - Parameter error: The error, or nil for none.
    public func failSets(with error: ScriptedError?) {
        state.withLock { $0.setFailure = error?.ofMethod }
    }

    /// Returns an error for each attempt to report events from now on. None of the events is stored. A server without
    /// support for events returns `ScriptedError.unknownMethod`.
    ///
    /// - Parameter error: The error, or nil for none.
    public func failEvents(with error: ScriptedError?) {
        state.withLock { $0.eventFailure = error?.ofMethod }
    }

    /// Returns an error for each request for the settings of surfaces from now on.
    ///
    /// - Parameter error: The error, or nil for none.
    public func failSurfaces(with error: ScriptedError?) {
        state.withLock { $0.surfaces.failure = error?.ofMethod }
    }

    /// The limits of a request (RFC 8620 §2). A client splits larger requests.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of method calls in a request.
        public var maxCallsInRequest: Int
        /// The maximum number of records that one call may fetch.
        public var maxObjectsInGet: Int
        /// The maximum number of records that one call may change.
        public var maxObjectsInSet: Int
    }

    /// Changes the server's limits. A connected client uses them after it has fetched the session again.
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
