import CoreMetrics
import Eventually
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct MetricsTests {
    private func text(_ server: TestServer) async throws -> String {
        let answer = try await server.rest("GET", "/metrics")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        return String(decoding: answer.bytes, as: UTF8.self)
    }

    private func value(_ sample: String, in text: String) -> Double? {
        text.split(separator: "\n").first { $0.hasPrefix(sample + " ") }.flatMap {
            Double($0.split(separator: " ").last ?? "")
        }
    }

    @Test func `requests are counted by route and status, without names or ids`() async throws {
        try await withServer { server in
            for _ in 0..<3 { try await server.send(to: ["person": "secret-person"]) }
            try await server.send(to: ["everyone": true])
            _ = try await server.device(of: "secret-person")
            _ = try await server.rest("GET", "/v1/messages/secret-id")
            for number in 0..<5 { _ = try await server.rest("GET", "/secret-path-\(number)") }
            _ = try await server.rest("POST", "/v1/messages", ["secret": 1])
            let text = try await text(server)
            let count = "inbox_http_request_duration_seconds_count"
            #expect(value(count + #"{method="POST",route="/v1/messages",status="201"}"#, in: text) == 4)
            #expect(value(count + #"{method="POST",route="/v1/messages",status="400"}"#, in: text) == 1)
            #expect(value(count + #"{method="GET",route="/v1/messages/{id}",status="404"}"#, in: text) == 1)
            #expect(value(count + #"{method="GET",route="NotFound",status="404"}"#, in: text) == 5)
            #expect(value("inbox_messages_sent_total", in: text) == 4)
            #expect(value("inbox_writer_waiting", in: text) == 0)
            #expect(value("inbox_event_streams", in: text) == 0)
            #expect(value("inbox_due_lag_seconds", in: text) == 0)
            #expect(value("inbox_database_readable", in: text) == 1)
            #expect(value("inbox_database_bytes", in: text) ?? 0 > 0)
            #expect(value("inbox_connections", in: text) ?? 0 > 0)
            #expect(value("inbox_commit_writes_count", in: text) ?? 0 > 0)
            #expect(!text.contains("secret"))
        }
    }

    @Test func `an unreadable database is reported and keeps the last values`() {
        let metrics = ServerMetrics()
        let read = ServerGauges.DatabaseValues(
            dueLag: 3,
            bytes: 7,
            servers: 1,
            serverNumber: 0,
            pendingPayloads: 2,
            deadLetters: 1
        )
        metrics.record(ServerGauges.Values(database: read))
        #expect(value("inbox_database_readable", in: metrics.text) == 1)
        metrics.record(ServerGauges.Values())
        #expect(value("inbox_database_readable", in: metrics.text) == 0)
        #expect(value("inbox_due_lag_seconds", in: metrics.text) == 3)
        #expect(value("inbox_database_bytes", in: metrics.text) == 7)
        metrics.record(ServerGauges.Values(database: read))
        #expect(value("inbox_database_readable", in: metrics.text) == 1)
    }

    @Test func `open event streams are counted`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let (stream, _) = await EventStream.open(device, "types=*&closeafter=no&ping=0")
            #expect(try await eventually { server.watchers.count == 1 })
            #expect(value("inbox_event_streams", in: try await text(server)) == 1)
            stream.close()
            #expect(try await eventually { server.watchers.count == 0 })
            #expect(value("inbox_event_streams", in: try await text(server)) == 0)
        }
    }

    @Test func `metrics need an API key`() async throws {
        try await withServer { server in
            #expect(try await server.request("GET", "/metrics").status == 401)
            let token = try await server.token(for: "ann")
            let answer = try await server.request("GET", "/metrics", headers: ["Authorization": "Bearer \(token)"])
            #expect(answer.status == 401)
            #expect(try await server.rest("POST", "/metrics", [:]).status == 405)
        }
    }

    @Test func `metrics are written in Prometheus's text format`() {
        let metrics = PrometheusMetrics([
            PrometheusMetrics.Family(label: "a_seconds", kind: .histogram, help: "Help.", bounds: [1, 2.5]),
            PrometheusMetrics.Family(label: "b_total", kind: .counter, help: "More."),
            PrometheusMetrics.Family(label: "c", kind: .gauge, help: "Rest."),
        ])
        let recorder = Recorder(label: "a_seconds", dimensions: [("x", #"a"\b"#)], factory: metrics)
        for value in [0.5, 1, 2, 7] { recorder.record(value) }
        Counter(label: "b_total", factory: metrics).increment(by: 3)
        let meter = Meter(label: "c", factory: metrics)
        meter.set(2)
        meter.decrement(by: 0.5)
        #expect(
            metrics.text == #"""
                # HELP a_seconds Help.
                # TYPE a_seconds histogram
                a_seconds_bucket{x="a\"\\b",le="1.0"} 2
                a_seconds_bucket{x="a\"\\b",le="2.5"} 3
                a_seconds_bucket{x="a\"\\b",le="+Inf"} 4
                a_seconds_sum{x="a\"\\b"} 10.5
                a_seconds_count{x="a\"\\b"} 4
                # HELP b_total More.
                # TYPE b_total counter
                b_total 3
                # HELP c Rest.
                # TYPE c gauge
                c 1.5

                """#
        )
    }

    @Test func `equal labels are one series, and a destroyed series is gone`() {
        let metrics = PrometheusMetrics([])
        let (one, other) = (Counter(label: "a", factory: metrics), Counter(label: "a", factory: metrics))
        one.increment()
        other.increment(by: 2)
        Counter(label: "a", dimensions: [("x", "y")], factory: metrics).increment()
        #expect(metrics.text == "# TYPE a counter\na 3\na{x=\"y\"} 1\n")
        other.reset()
        #expect(metrics.text == "# TYPE a counter\na 0\na{x=\"y\"} 1\n")
        one.destroy()
        #expect(metrics.text == "# TYPE a counter\na{x=\"y\"} 1\n")
        Timer(label: "t", factory: metrics).recordNanoseconds(7_000_000)
        #expect(metrics.text.contains("t_bucket{le=\"0.01\"} 1"))
        #expect(metrics.text.contains("t_sum 0.007"))
    }

    @Test func `metrics recorded by many tasks at once are all counted`() async {
        let metrics = PrometheusMetrics([])
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<500 {
                        Counter(label: "n", dimensions: [("t", "\((task + number) % 4)")], factory: metrics).increment()
                    }
                }
            }
        }
        let values = metrics.text.split(separator: "\n").dropFirst().map { $0.suffix(4) }
        #expect(values == ["1000", "1000", "1000", "1000"])
    }

    @Test func `a host's backend receives the same metrics as the text`() async throws {
        let host = PrometheusMetrics([])
        let clock = ManualClock()
        try await withServer(clock: clock, configure: { $0.metricsFactory = host }) { server in
            for _ in 0..<3 { try await server.send(to: ["person": "ann"]) }
            _ = try await text(server)
            #expect(value("inbox_messages_sent_total", in: host.text) == 3)
            let count = #"inbox_http_request_duration_seconds_count{method="POST",route="/v1/messages",status="201"}"#
            #expect(value(count, in: host.text) == 3)
            #expect(value("inbox_commit_writes_count", in: host.text) ?? 0 >= 3)
            #expect(value("inbox_connections", in: host.text) ?? 0 > 0)
            #expect(try await eventually { value("inbox_database_bytes", in: host.text) ?? 0 > 0 })
            // Without a request of the text, the gauges are sampled.
            let device = try await server.device(of: "ann")
            let (stream, _) = await EventStream.open(device, "types=*&closeafter=no&ping=0")
            #expect(
                try await eventually {
                    clock.advance(by: 10)
                    return value("inbox_event_streams", in: host.text) == 1
                }
            )
            stream.close()
        }
    }
}
