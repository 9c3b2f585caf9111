import InboxMail
import InboxViews

extension OwnedTask {
    /// Calls a closure with the notices about an account's connection, as this model's task.
    ///
    /// - Parameter show: Called with each notice; nil if there is none.
    func followConnection(of mail: Mail, _ show: @escaping @MainActor (ConnectionNotice?) -> Void) {
        let states = mail.connectionStates
        start {
            for await state in states { show(ConnectionNotice(state, pendingWrites: 0)) }
        }
    }
}
