"""jmapc, a JMAP client for mail, uses the server over TLS, with only a host and a token."""

import tempfile
import threading
import unittest

import world
from jmapc import Client
from jmapc.client import EventSourceConfig
from jmapc.methods import CoreEcho, CustomMethod


class JmapcTest(unittest.TestCase):
    def client(self, person, **options):
        return Client.create_with_api_token(world.HOST, world.token(person), **options)

    def call(self, client, name, **arguments):
        method = CustomMethod(data={"accountId": client.account_id, **arguments})
        method.jmap_method = f"InboxMessage/{name}"
        method.using = {"urn:ietf:params:jmap:core", world.MESSAGES}
        return client.request(method, raise_errors=True).data

    def test_discovery(self):
        session = self.client("ann").jmap_session
        self.assertEqual(session.username, "ann")
        for url in (session.api_url, session.event_source_url, session.upload_url, session.download_url):
            self.assertTrue(url.startswith(f"{world.URL}/"), url)
        self.assertIn(world.MESSAGES, session.capabilities.urns)
        self.assertGreater(session.capabilities.core.max_objects_in_get, 0)

    def test_echo(self):
        data = {"hello": ["ä", 1, None, {"deep": True}]}
        self.assertEqual(self.client("ann").request(CoreEcho(data=data)).data, data)

    def test_messages(self):
        client = self.client("bob")
        empty = self.call(client, "get", ids=[])["state"]
        ids = [world.send("bob", f"Number {number}") for number in range(3)]
        self.assertCountEqual(self.call(client, "query")["ids"], ids)
        changes = self.call(client, "changes", sinceState=empty)
        self.assertCountEqual(changes["created"], ids)
        got = self.call(client, "get", ids=[ids[0], "unknown"])
        self.assertEqual([message["title"] for message in got["list"]], ["Number 0"])
        self.assertEqual(got["notFound"], ["unknown"])
        date = "2026-05-01T08:00:00Z"
        self.assertIn(ids[0], self.call(client, "set", update={ids[0]: {"readAt": date}})["updated"])
        self.assertEqual(self.call(client, "get", ids=[ids[0]])["list"][0]["readAt"], date)

    def test_events(self):
        # An event id from before the message: the missed change is sent at once.
        client = self.client("cid", last_event_id="before", event_source_config=EventSourceConfig(ping=30))
        events = client.events
        first = next(events)
        self.assertIn(client.account_id, first.data.changed)
        sender = threading.Timer(0.2, world.send, ["cid", "News"])
        sender.start()
        second = next(events)
        sender.join()
        self.assertNotEqual(first.id, second.id)
        self.assertEqual(second.id, self.call(client, "get", ids=[])["state"])

    def test_upload(self):
        client = self.client("ann")
        if not client.jmap_session.capabilities.core.max_size_upload:
            self.skipTest("the server keeps no files")
        with tempfile.NamedTemporaryFile(suffix=".txt") as file:
            file.write(b"content")
            file.flush()
            blob = client.upload_blob(file.name)
        self.assertEqual((blob.size, blob.type), (7, "text/plain"))


if __name__ == "__main__":
    unittest.main()
