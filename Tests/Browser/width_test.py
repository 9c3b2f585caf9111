"""Tests of the width of cleaned tables in WebKit, which lets one with a width in pixels be wider than its `max-width`."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from webkit import WebKit

# Tables that fit a view of 300 pixels where their greatest width counts.
TABLES = [
    "<table style='width:600px;max-width:100%'>", "<table width=600 style='max-width:100%'>",
    "<table style='max-width:200px;width:100%'>", "<table style='width:600px;max-width:100%;table-layout:fixed'>",
]


class WidthTest(unittest.TestCase):
    def widths(self, messages):
        """The widths of the tables in the messages, one below the other in 300 pixels."""
        blocks = "".join(f"<div style='width:300px'>{message}</div>" for message in messages)
        page = f"<!doctype html><body>{blocks}"
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "tables.html"
            file.write_text(page)
            browser = WebKit()
            try:
                browser.open(file.as_uri())
                return browser.evaluate("[...document.querySelectorAll('table')].map(t => t.getBoundingClientRect().width)")
            finally:
                browser.close()

    def test_a_cleaned_table_is_no_wider_than_its_greatest_width(self):
        messages = [f"{table}<tr><td>One two three</table>" for table in TABLES]
        tool = [os.environ["HTML_TOOL"], "clean"]
        answer = subprocess.run(tool, input=json.dumps(messages).encode(), stdout=subprocess.PIPE, check=True)
        cleaned = [message["markup"] for message in json.loads(answer.stdout)]
        self.assertEqual(self.widths(cleaned), [300, 300, 200, 300])
        self.assertGreater(max(self.widths(messages)), 500, "WebKit bounds tables itself: the rule isn't needed any more")
