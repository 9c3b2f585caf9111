import Foundation
import Groundwork
import InboxModel
import JMAP

@testable import InboxServer
@testable import InboxService

/// Checks a person's requests to the whole server, without sockets: each is answered in JSON or rejected, never with an
/// internal server error.
struct RequestFuzzTarget: FuzzTarget {
    /// The part of the request that an input is.
    enum Part: Sendable { case whole, filter, reference }

    private let part: Part
    private let server: SimulatedServer
    private let token: String
    private let account: JSON

    init(_ part: Part) {
        self.part = part
        (server, token, account) = wait {
            do {
                let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inbox-fuzz-\(UUID())")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let server = try await SimulatedServer(
                    file: folder.appendingPathComponent("server.sqlite"),
                    clock: SystemClock(),
                    random: .system,
                    core: CoreCapability()
                )
                for number in 1...20 { try await Self.send(number, through: server) }
                let token = try await server.token(for: "ann")
                let session = try await server.answer(
                    TransportRequest(
                        url: SimulatedServer.url.appendingPathComponent(".well-known/jmap"),
                        headers: ["Authorization": "Bearer \(token)"]
                    )
                )
                let account = try JSON(parsing: session.body)["primaryAccounts"]?[MessageCapability.uri]
                return (server, token, account ?? .null)
            } catch {
                fatalError("\(error)")
            }
        }
    }

    func process(_ bytes: [UInt8]) {
        guard let body = body(bytes) else { return }
        var request = TransportRequest(url: SimulatedServer.url.appendingPathComponent("jmap/api"))
        request.method = "POST"
        request.headers = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
        request.body = body
        let (server, sent) = (server, request)
        let answer = wait { () -> TransportResponse in
            do {
                return try await server.answer(sent)
            } catch {
                fatalError("\(error)")
            }
        }
        check([200, 400, 413, 429].contains(answer.status), "\(answer.status)")
        guard let json = try? JSON(parsing: answer.body) else { fatalError("the answer isn't JSON") }
        for response in json["methodResponses"]?.arrayValue ?? [] {
            check(response.arrayValue?.count == 3, "\(response)")
            check(response.arrayValue?[1]["type"] != "serverFail", "\(response)")
        }
    }

    /// Returns the request for an input, or nil if the input can't be one.
    private func body(_ bytes: [UInt8]) -> [UInt8]? {
        let query = #"["InboxMessage/query",{"accountId":\#(account),"filter":FILTER,"limit":5},"0"]"#
        let calls: String
        switch part {
        case .whole:
            // Seeds have a placeholder for the account, because each run has a new one.
            let text = String(decoding: bytes, as: UTF8.self).replacing("\"ACCOUNT\"", with: account.description)
            return Array(text.utf8)
        case .filter:
            guard let filter = try? JSON(parsing: bytes) else { return nil }
            calls = query.replacing("FILTER", with: filter.description)
        case .reference:
            let path = JSON.string(String(decoding: bytes, as: UTF8.self))
            calls =
                query.replacing("FILTER", with: "null") + ","
                + #"["InboxMessage/get",{"accountId":\#(account),"ids":null},"1"],"#
                + ##"["Core/echo",{"#a":{"resultOf":"1","name":"InboxMessage/get","path":\##(path)}},"2"]"##
        }
        let using = #"["urn:ietf:params:jmap:core","\#(MessageCapability.uri)"]"#
        return Array(#"{"using":\#(using),"methodCalls":[\#(calls)]}"#.utf8)
    }

    private static func send(_ number: Int, through server: SimulatedServer) async throws {
        var request = TransportRequest(url: SimulatedServer.url.appendingPathComponent("v1/messages"))
        request.method = "POST"
        request.headers = [
            "Authorization": "Bearer \(SimulatedServer.adminKey)", "Content-Type": "application/json",
            "Idempotency-Key": "\(number)",
        ]
        let message = #"{"title":"Number \#(number)","category":"c\#(number % 3)","additionalData":{"n":"\#(number)"}}"#
        request.body = Array(#"{"to":{"person":"ann"},"message":\#(message)}"#.utf8)
        let answer = try await server.answer(request)
        check(answer.status == 201, String(decoding: answer.body, as: UTF8.self))
    }
}
