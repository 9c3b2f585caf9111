package import ServiceLifecycle

/// A service whose description is its type's name.
///
/// Service-lifecycle logs the services that it runs; a dump of their fields fills pages, and has keys in it.
package struct NamedService: Service, CustomStringConvertible {
    private let service: any Service

    package init(_ service: any Service) {
        self.service = service
    }

    package var description: String { "\(type(of: service))" }

    package func run() async throws {
        try await service.run()
    }
}
