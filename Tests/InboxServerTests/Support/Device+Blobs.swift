import Groundwork

extension Device {
    /// Uploads a file and returns its id.
    @discardableResult
    func upload(_ content: String) async throws -> String {
        let answer = try await server.request(
            "POST",
            "/jmap/upload/\(account)",
            body: Array(content.utf8),
            headers: authorization
        )
        guard let id = answer.json["blobId"]?.stringValue else {
            throw UnexpectedResponse(answer: answer.json.description)
        }
        return id
    }
}
