import Hummingbird

/// Pictures that the server itself has: `/inbox/pictures/{name}`.
///
/// Anyone may fetch them, as a picture on the web: a card's picture is loaded without the page's cookie by an app, and
/// without a referrer by a browser.
struct PictureRoutes: Sendable {
    private let pictures: [String: PageAnswer.File]

    /// - Parameter sources: SVG documents, by name.
    init(_ sources: [String: String]) {
        pictures = sources.mapValues { PageAnswer.File($0, type: "image/svg+xml") }
    }

    func add(to routes: Routes) {
        guard !pictures.isEmpty else { return }
        routes.route(
            "/inbox/pictures/:name",
            [
                .get { request, context in
                    guard let picture = pictures[try context.parameters.require("name")] else {
                        throw Problem(.notFound, "There is no picture of that name.")
                    }
                    var response = picture.response(to: request)
                    // Opened by itself, a picture is a document: it runs nothing and loads nothing.
                    response.headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
                    return response
                }
            ]
        )
    }
}
