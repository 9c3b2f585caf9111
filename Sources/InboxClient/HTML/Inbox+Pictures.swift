package import Replica

extension Inbox {
    /// Returns the picture of a card by its address.
    ///
    /// It is fetched once, by the inbox's transport, and stored beside the messages within
    /// ``InboxConfiguration/pictureBudget``; one that isn't used for 30 days is deleted. Callers share one request. A
    /// request carries no token, cookie, referrer or name of the person. The limits are 5 MiB and 10 s for a picture,
    /// and 4 pictures at a time; others wait.
    ///
    /// - Throws: ``InboxError``: `storage`, `closed`. `CancellationError` when the task is cancelled; the request ends
    ///   with its last caller.
    @concurrent
    package func picture(at address: String) async throws -> SharedPictures.Outcome {
        do {
            try checkOpen()
            let outcome = try await open.sharedPictures.picture(address)
            try checkOpen()
            return outcome
        } catch {
            throw InboxError.wrapping(error)
        }
    }
}
