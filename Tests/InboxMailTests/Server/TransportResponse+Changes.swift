import Groundwork

extension TransportResponse {
    /// Returns the response as from a server that can't calculate a type's changes (RFC 8620 §5.2). References to its
    /// result are errors too (§3.7).
    func withoutChanges(of type: String, requestedBy request: TransportRequest) -> TransportResponse {
        guard
            let calls = (try? JSON(parsing: request.body ?? []))?["methodCalls"]?.arrayValue?.compactMap(\.arrayValue),
            var answer = (try? JSON(parsing: body))?.objectValue, let answers = answer["methodResponses"]?.arrayValue
        else { return self }
        let changes = calls.filter { $0[0].stringValue == "\(type)/changes" }.map { $0[2] }
        let referring = calls.filter { call in
            call[1].objectValue?.members.contains { name, value in
                name.hasPrefix("#") && value["resultOf"].map(changes.contains) ?? false
            } ?? false
        }.map { $0[2] }
        answer["methodResponses"] = .array(
            answers.map { call in
                guard let id = call.arrayValue?[2] else { return call }
                if changes.contains(id) { return ["error", ["type": "cannotCalculateChanges"], id] }
                return referring.contains(id) ? ["error", ["type": "invalidResultReference"], id] : call
            }
        )
        var response = self
        response.body = JSON.object(answer).utf8
        return response
    }
}
