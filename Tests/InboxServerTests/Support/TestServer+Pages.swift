import Foundation
import Groundwork
import Testing

extension TestServer {
    /// Returns the ids of the messages on all pages of a list. Expects each page but the last to be full, and `next` to
    /// be its last id.
    func pagedIds(_ path: String, _ query: String = "", limit: Int = 50) async throws -> [String] {
        var ids: [String] = []
        var after = ""
        while true {
            let answer = try await rest("GET", "\(path)?limit=\(limit)\(query)\(after)")
            guard let page = answer.json["messages"]?.arrayValue?.compactMap({ $0["id"]?.stringValue }) else {
                throw UnexpectedResponse(answer: String(decoding: answer.bytes, as: UTF8.self))
            }
            ids += page
            guard let next = answer.json["next"]?.stringValue else { return ids }
            #expect(page.count == limit && next == page.last)
            after = "&after=\(next)"
        }
    }
}
