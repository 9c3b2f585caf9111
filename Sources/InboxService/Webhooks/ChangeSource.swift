/// Whose doing a change in a person's inbox was, as webhooks say it.
enum ChangeSource: String, Sendable {
    /// The person's, on one of their devices.
    case person
    /// The app's backend's, over the REST API.
    case backend
}
