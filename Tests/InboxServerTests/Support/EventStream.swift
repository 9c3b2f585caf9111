import Foundation
import Groundwork
import JMAP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client's connection to the event source.
final class EventStream: NSObject, URLSessionDataDelegate, Sendable {
    private let parser = Locked(EventStreamParser())
    private let continuation: AsyncStream<EventStreamEvent>.Continuation
    private let iterator: Locked<AsyncStream<EventStreamEvent>>
    private let opened: Locked<(status: Int?, waiting: CheckedContinuation<Int, Never>?)>
    private let session: Locked<URLSession?>

    override private init() {
        let (stream, continuation) = AsyncStream<EventStreamEvent>.makeStream()
        self.continuation = continuation
        iterator = Locked(stream)
        opened = Locked((nil, nil))
        session = Locked(nil)
    }

    /// Connects, and waits for the status.
    static func open(_ device: Device, _ query: String, lastEventID: String? = nil) async -> (
        stream: EventStream, status: Int
    ) {
        let stream = EventStream()
        let configuration = URLSessionConfiguration.ephemeral
        // Longer than any suite's limit: only the server ends a stream that receives nothing.
        configuration.timeoutIntervalForRequest = 86_400
        let session = URLSession(configuration: configuration, delegate: stream, delegateQueue: nil)
        stream.session.withLock { $0 = session }
        let url = URL(string: device.server.url.absoluteString + "/jmap/eventsource/?" + query)
        var request = URLRequest(url: url ?? device.server.url)
        request.setValue("Bearer \(device.token)", forHTTPHeaderField: "Authorization")
        if let lastEventID { request.setValue(lastEventID, forHTTPHeaderField: "Last-Event-ID") }
        session.dataTask(with: request).resume()
        let status = await withCheckedContinuation { continuation in
            let known = stream.opened.withLock { opened -> Int? in
                if opened.status == nil { opened.waiting = continuation }
                return opened.status
            }
            if let known { continuation.resume(returning: known) }
        }
        return (stream, status)
    }

    /// Returns the next event, or nil once the server has closed the stream.
    func next() async -> EventStreamEvent? {
        var iterator = iterator.withLock { $0 }.makeAsyncIterator()
        return await iterator.next()
    }

    /// Disconnects.
    func close() {
        session.withLock { $0 }?.invalidateAndCancel()
    }

    private func answer(_ status: Int) {
        let waiting = opened.withLock { opened in
            defer { opened = (opened.status ?? status, nil) }
            return opened.waiting
        }
        waiting?.resume(returning: status)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        answer((response as? HTTPURLResponse)?.statusCode ?? 0)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        for event in parser.withLock({ (try? $0.parse(data)) ?? [] }) { continuation.yield(event) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        answer(0)
        continuation.finish()
    }
}
