import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct OpenAPITests {
    private func described(_ document: JSON) -> Set<Route> {
        var routes: Set<Route> = []
        for path in document["paths"]?.objectValue?.members ?? [] {
            for method in path.value.objectValue?.names ?? [] {
                routes.insert(Route(method: method.uppercased(), path: path.name))
            }
        }
        return routes
    }

    @Test func `the described routes are exactly the registered ones`() async throws {
        try await withServer { server in
            let document = try await server.request("GET", "/openapi.json").json
            let described = described(document)
            var registered: Set<Route> = []
            // JMAP has its own description. The web page is for people, and its URLs and forms may change with any
            // version.
            let routes = server.routes.filter {
                !$0.path.contains("jmap") && !$0.path.hasPrefix("/inbox") && $0.path != "/"
            }
            #expect(routes.count > 50)
            // HEAD is part of GET.
            for route in routes where route.method != "HEAD" {
                let address = route.path.replacing(/\{[^}]*\}/, with: "x")
                // A method that isn't allowed is registered too, to answer 405.
                if try await server.request(route.method, address).status != 405 { registered.insert(route) }
            }
            #expect(described.subtracting(registered) == [])
            #expect(registered.subtracting(described) == [])
        }
    }

    @Test func `every reference resolves, and every component is used`() {
        let document = OpenAPI.document
        var references: Set<String> = []
        func look(_ json: JSON) {
            for element in json.arrayValue ?? [] { look(element) }
            for member in json.objectValue?.members ?? [] {
                if member.name == "$ref", let reference = member.value.stringValue { references.insert(reference) }
                look(member.value)
            }
        }
        look(document)
        var parts: Set<String> = []
        for kind in ["schemas", "responses"] {
            for name in document["components"]?[kind]?.objectValue?.names ?? [] {
                parts.insert("#/components/\(kind)/\(name)")
            }
        }
        #expect(references == parts)
    }

    @Test func `no pattern repeats a choice of single and encoded characters`() {
        var patterns: [String] = []
        func look(_ json: JSON) {
            for element in json.arrayValue ?? [] { look(element) }
            for member in json.objectValue?.members ?? [] {
                if member.name == "pattern", let pattern = member.value.stringValue { patterns.append(pattern) }
                look(member.value)
            }
        }
        look(OpenAPI.document)
        let encoded = patterns.filter { $0.contains("%[0-9A-Fa-f]{2}") }
        #expect(!encoded.isEmpty)
        // With such a choice, schemathesis searches for seconds for a string of the limit's length, and finds none.
        for pattern in encoded { #expect(!pattern.contains("]|%"), "\(pattern)") }
    }

    @Test func `each operation refuses parameters and bodies that it doesn't have`() async throws {
        try await withServer { server in
            for operation in OpenAPI.operations where operation.scope != nil && operation.path.hasPrefix("/v1/") {
                let address = operation.path.replacing(/\{[^}]*\}/, with: "x")
                let method = operation.method.rawValue.uppercased()
                let body: JSON? = operation.body == nil ? nil : [:]
                let answer = try await server.rest(method, "\(address)?dryRun=1", body)
                #expect(answer.status == 400, "\(operation.id)")
                let detail = answer.json["detail"]?.stringValue
                #expect(
                    detail?.hasPrefix("The URL has an unknown parameter.") == true,
                    "\(operation.id): \(detail ?? "")"
                )
                guard operation.body == nil, method != "GET" else { continue }
                for body in [["person": "alice"] as JSON, .string(String(repeating: "x", count: 5_000))] {
                    let withBody = try await server.rest(method, address, body)
                    #expect(withBody.status == 400, "\(operation.id)")
                    #expect(
                        withBody.json["detail"] == "This request has no body. Leave the body out.",
                        "\(operation.id)"
                    )
                }
                // As some libraries send.
                #expect(try await server.rest(method, address, [:]).status != 400, "\(operation.id)")
            }
        }
    }

    @Test func `each operation needs the scope that it names`() async throws {
        try await withServer { server in
            var keys: [String] = []
            for scope in [Scope.webhooks, .metrics] {
                let made = try await server.rest(
                    "POST",
                    "/v1/keys",
                    ["name": "x", "scopes": [.string(scope.rawValue)]]
                )
                keys.append(try #require(made.json["key"]?.stringValue))
            }
            for operation in OpenAPI.operations {
                let key = operation.scope == .webhooks ? keys[1] : keys[0]
                let address = operation.path.replacing(/\{[^}]*\}/, with: "x")
                let headers = ["Authorization": "Bearer \(key)"]
                let answer = try await server.rest(operation.method.rawValue.uppercased(), address, headers: headers)
                let challenge = answer.header("WWW-Authenticate")
                if let scope = operation.scope {
                    #expect(answer.status == 403, "\(operation.id)")
                    #expect(challenge?.contains("scope=\"\(scope.rawValue)\"") == true, "\(operation.id)")
                } else {
                    #expect(answer.status == 200, "\(operation.id)")
                }
            }
        }
    }
}
