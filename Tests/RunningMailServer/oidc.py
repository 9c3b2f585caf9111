"""PyPI's oidc-provider-mock on a free port: an OpenID provider of another project.

    python3 oidc.py

Prints a line of JSON when it listens, `{"ok": true, "port": PORT}`, and ends when its input does.
"""

import json
import os
import sys
import threading

import oidc_provider_mock
import werkzeug.serving

werkzeug.serving.WSGIRequestHandler.log = lambda *arguments, **named: None
app = oidc_provider_mock.app(require_client_registration=True)
running = werkzeug.serving.make_server("127.0.0.1", 0, app, threaded=True)
threading.Thread(target=running.serve_forever, daemon=True).start()
print(json.dumps({"ok": True, "port": running.server_port}), flush=True)
sys.stdin.read()
os._exit(0)
