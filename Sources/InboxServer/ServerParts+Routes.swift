import Groundwork
import InboxService
import JMAP

/// The server's routes.
extension ServerParts {
    /// Returns the JMAP API of people's devices.
    func makeAPI() -> JMAPEndpoint {
        let messages = MessageMethods(
            writer: writer,
            people: people,
            core: core,
            clock: configuration.clock
        ).all
        let surfaces = SurfaceMethods(people: people, core: core).all
        let events = EventMethods(writer: writer, core: core).all
        return JMAPEndpoint(
            people: people,
            methods: [messages, surfaces, events].reduce(into: [:]) { all, some in
                all.merge(some) { method, _ in method }
            },
            core: core,
            changeRate: configuration.fairUse.changeRate,
            clock: configuration.clock
        )
    }

    /// Returns all HTTP routes.
    func makeRoutes(answering api: JMAPEndpoint) -> Routes {
        let failures = api.failures
        let frames = PageFrames(
            root: PageAccess.root(of: baseURL),
            clock: configuration.clock,
            random: configuration.random
        )
        let routes = Routes(
            metrics: metrics,
            failures: failures,
            keys: keys,
            proxies: proxies,
            usesTLS: identity != nil,
            frames: frames
        )
        addBackend(to: routes, api: api)
        addDevices(to: routes, api: api, failures: failures, frames: frames)
        let isStopping = isStopping
        HealthRoutes(storage: storage, isStopping: { isStopping.withLock { $0 } }).add(to: routes)
        OpenAPIRoutes().add(to: routes)
        return routes
    }

    /// Adds the routes that the app's backend calls, with an API key.
    private func addBackend(to routes: Routes, api: JMAPEndpoint) {
        let clock = configuration.clock
        let attempts = KeyAttempts(
            limit: configuration.attemptLimit,
            clock: clock,
            logger: configuration.logger,
            counts: auditCounts
        )
        let requests = RateLimiter("requests", configuration.fairUse.keyRate, clock: clock)
        let access = Access(keys: keys, requests: requests, attempts: attempts)
        SendingRoutes(storage: storage, writer: writer, access: access, clock: clock).add(to: routes)
        ImportRoutes(writer: writer, access: access, clock: clock).add(to: routes)
        AnalyticsRoutes(storage: storage, access: access).add(to: routes)
        WebhookRoutes(
            storage: storage,
            writer: writer,
            access: access,
            allowsPrivate: configuration.allowsPrivateWebhooks
        ).add(to: routes)
        DeadLetterRoutes(storage: storage, writer: writer, access: access).add(to: routes)
        KeyRoutes(storage: storage, keys: keys, access: access, clock: clock).add(to: routes)
        TokenRoutes(access: access, tokens: tokens, people: people, sessions: sessions).add(to: routes)
        SigningKeyRoutes(access: access, sessions: sessions).add(to: routes)
        AuditRoutes(storage: storage, access: access).add(to: routes)
        MetricsRoutes(metrics: metrics, gauges: gauges, access: access).add(to: routes)
        let eraser = Eraser(
            storage: storage,
            writer: writer,
            people: people,
            tokens: tokens,
            evictCachedResponses: { account in api.evict(account: account) },
            watchers: watchers,
            random: configuration.random,
            logger: configuration.logger
        )
        PeopleRoutes(storage: storage, writer: writer, access: access, eraser: eraser, clock: clock).add(to: routes)
        PersonMessageRoutes(storage: storage, writer: writer, access: access, clock: clock).add(to: routes)
        SurfaceRoutes(storage: storage, writer: writer, access: access).add(to: routes)
    }

    /// Adds the routes that people's devices call, with a token.
    private func addDevices(to routes: Routes, api: JMAPEndpoint, failures: RequestFailures, frames: PageFrames) {
        let clock = configuration.clock
        let rejections = RejectionLog(logger: configuration.logger, clock: clock, counts: auditCounts)
        let requests = RateLimiter("requests", configuration.fairUse.personRate, clock: clock)
        let access = PersonAccess(people: people, tokens: tokens, rejections: rejections, requests: requests)
        BlobRoutes(requestReads: requestReads, writer: writer, access: access, clock: clock, core: core).add(to: routes)
        let eventSource = EventSource(people: people, watchers: watchers, pings: pings)
        let jmap = JMAPRoutes(
            access: access,
            api: api,
            requestReads: requestReads,
            eventSource: eventSource,
            baseURL: baseURL
        )
        jmap.add(to: routes)
        let page = PageAccess(
            tokens: access,
            baseURL: baseURL,
            signInOrigins: Set(configuration.signInOrigins.map { $0.lowercased() })
        )
        PictureRoutes(configuration.pictures).add(to: routes)
        if let signInLinks {
            SignInLinkRoutes(
                links: signInLinks,
                access: page,
                frames: frames,
                tokens: tokens,
                people: people,
                clock: clock
            ).add(to: routes)
        }
        PageRoutes(
            writer: writer,
            access: page,
            frames: frames,
            requestReads: requestReads,
            eventSource: eventSource,
            sessions: sessions,
            links: links,
            changes: api.changes,
            failures: failures
        ).add(to: routes)
    }
}
