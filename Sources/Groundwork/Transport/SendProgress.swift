/// The progress of requests' bodies as they are sent.
///
/// A transport that knows them calls ``listener``. Others, such as an app's own, report nothing.
package enum SendProgress {
    /// Receives the number of bytes of a body that are sent so far. It is called from any thread. A repeated request
    /// begins again.
    @TaskLocal package static var listener: (@Sendable (_ sent: Int) -> Void)?
}
