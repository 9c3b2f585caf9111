import Hummingbird
import NIOCore

/// What a route knows beside the request: what Hummingbird keeps, and the connection that the request came on.
struct InboxRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
