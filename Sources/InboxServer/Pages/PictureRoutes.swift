import Hummingbird

/// The routes of the server's own pictures: `/inbox/pictures/{name}`.
///
/// They are public, as pictures on the web are: an app loads a card's picture without the page's cookie, and a browser
/// without a referrer.
struct PictureRoutes: Sendable {
    private let pictures: [String: PageResponse.File]

    /// - Parameter sources: SVG documents, by name.
    init(_ sources: [String: String]) {
        pictures = sources.mapValues { PageResponse.File($0, type: "image/svg+xml") }
    }

    func add(to routes: Routes) {
        guard !pictures.isEmpty else { return }
        routes.route(
            "/inbox/pictures/:name",
            [
                .get { request, context in
                    guard let picture = pictures[try context.parameters.require("name")] else {
                        throw Problem(.notFound, "There is no picture with that name.")
                    }
                    var response = picture.response(to: request)
                    // A picture that is opened by itself is a document. It may run and load nothing.
                    response.headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
                    return response
                }
            ]
        )
    }
}
