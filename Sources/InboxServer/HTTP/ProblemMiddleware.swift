import GRDB
import Groundwork
import Hummingbird
import Logging
import NIOHTTP1

/// Turns every error into a problem document, and notes each request at the level debug: its route, not what was in it.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await respond(to: request, context: context, next: next)
        context.logger.debug(
            "answered",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(context.endpointPath ?? "")",
                "status": "\(response.status.code)",
            ]
        )
        return response
    }

    private func respond(
        to request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let problem: Problem
        do {
            return try await next(request, context)
        } catch let error as Problem {
            problem = error
        } catch let error as JSONValueError {
            problem = Problem(error)
        } catch let error as JSONSyntaxError {
            problem = Problem(error)
        } catch let error as any HTTPResponseError {
            problem = Problem(error.status, Self.detail(of: error.status))
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTPParserError {
            // The client's bytes aren't HTTP, or it went away in the middle: Hummingbird closes the connection.
            throw error
        } catch let error as DatabaseError where error.isPassing {
            context.logger.error("a request failed", metadata: ["error": "\(error)"])
            problem = Problem(passing: error)
        } catch {
            context.logger.error("a request failed", metadata: ["error": "\(error)"])
            problem = Problem(.internalServerError, "The server couldn't do this. Try again later.")
        }
        return try problem.response(from: request, context: context)
    }

    private static func detail(of status: HTTPResponse.Status) -> String {
        switch status {
        case .notFound: "There is nothing at this address."
        case .contentTooLarge: "The body is too large."
        default: "The request can't be answered."
        }
    }
}
