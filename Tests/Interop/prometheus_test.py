"""The metrics, read by Prometheus' own parser."""

import unittest

import requests
import world
from prometheus_client.parser import text_string_to_metric_families


class PrometheusTest(unittest.TestCase):
    def test_metrics(self):
        world.send("ann", "Counted")
        answer = requests.get(f"{world.URL}/metrics", headers=world.BACKEND, timeout=30)
        self.assertEqual(answer.status_code, 200)
        families = {family.name: family for family in text_string_to_metric_families(answer.text)}
        durations = families["inbox_http_request_duration_seconds"]
        self.assertEqual(durations.type, "histogram")
        self.assertGreater(families["inbox_messages_sent"].samples[0].value, 0)
        self.assertEqual(families["inbox_messages_sent"].type, "counter")
        for name in ("connections", "event_streams", "writer_waiting", "due_lag_seconds", "database_bytes", "database_readable"):
            self.assertEqual(families[f"inbox_{name}"].type, "gauge")
            self.assertTrue(families[f"inbox_{name}"].documentation)


if __name__ == "__main__":
    unittest.main()
