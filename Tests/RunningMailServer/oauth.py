"""An authorization server on Authlib, and before a mail server (Cyrus), whose mailboxes its tokens open.

    python3 oauth.py FOLDER UPSTREAM

FOLDER is the mail server's, which has the key of its tokens; UPSTREAM is the mail server's URL. Prints a line of JSON
when it listens, `{"ok": true, "port": PORT}`, and ends when its input does. Each line of input is a JSON object and is
answered by a line of JSON:

    {"do": "facts"}                        how many tokens were issued by code and by refresh, and revoked
    {"do": "expire"}                       access tokens so far aren't accepted from now on
    {"do": "revoke"}                       nor are the refresh tokens
    {"do": "behave", "lifetime": SECONDS, "hang": true, "issuer": URL}
                                           what to do from now on: the life of a token in its answer, whether the token
                                           endpoint answers, and which issuer the browser returns with

It has what draft-ietf-mailmaint-oauth-public describes: metadata of the resource (RFC 9728) and of the server (RFC
8414), registration (RFC 7591), codes with PKCE (RFC 7636) and issuer (RFC 9207), rotated refresh tokens, revocation
(RFC 7009). A page asks for consent, with the buttons `allow` and `deny`.
"""

import base64
import hashlib
import hmac
import html
import http.client
import json
import os
import sys
import threading
import time
import urllib.parse

import flask
import werkzeug.serving
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, OAuth2Error, TokenMixin, grants
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7591 import ClientRegistrationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc9207 import IssuerParameter

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
SCOPES = ["urn:ietf:params:oauth:scope:mail", "offline_access"]

folder, upstream = sys.argv[1:]
with open(os.path.join(folder, "keys/key.pem")) as pem:
    key = base64.b64decode("".join(line for line in pem.read().splitlines() if not line.startswith("-----")))
upstream = urllib.parse.urlsplit(upstream)
lock = threading.Lock()
clients, codes, tokens = {}, {}, []
counts = {"codes": 0, "refreshes": 0, "revoked": 0}
behaviour = {}
origin = ""


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def mail_token(user):
    """A token that the mail server accepts: its claims are the user alone. Spaces make each one different."""
    claims = '{"sub":' + json.dumps(user) + " " * (len(tokens) + 1) + "}"
    signed = ".".join(base64url(part.encode()) for part in ['{"alg":"HS256","typ":"JWT"}', claims])
    return signed + "." + base64url(hmac.new(key, signed.encode(), hashlib.sha256).digest())


class Client(ClientMixin):
    def __init__(self, facts):
        self.client_id = facts["client_id"]
        self.facts = facts

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return " ".join(word for word in (scope or "").split() if word in SCOPES)

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri in self.facts["redirect_uris"]

    def check_endpoint_auth_method(self, method, endpoint):
        return method == "none"

    def check_grant_type(self, grant_type):
        return grant_type in self.facts["grant_types"]

    def check_response_type(self, response_type):
        return response_type == "code"


class Code(AuthorizationCodeMixin):
    def __init__(self, code, request):
        data = request.payload.data
        self.code, self.client, self.user = code, request.client, request.user
        self.redirect_uri, self.scope = request.payload.redirect_uri, request.payload.scope
        self.code_challenge, self.code_challenge_method = data.get("code_challenge"), data.get("code_challenge_method")

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


class Token(TokenMixin):
    def __init__(self, facts, client, user):
        self.access, self.refresh, self.scope = facts["access_token"], facts.get("refresh_token"), facts.get("scope", "")
        self.client, self.user, self.is_expired, self.is_used = client, user, False, False

    def check_client(self, client):
        return client.client_id == self.client.client_id

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return 3600

    def is_revoked(self):
        return self.is_used


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def save_authorization_code(self, code, request):
        codes[code] = Code(code, request)

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client.client_id == client.client_id else None

    def delete_authorization_code(self, authorization_code):
        codes.pop(authorization_code.code, None)
        counts["codes"] += 1

    def authenticate_user(self, authorization_code):
        return authorization_code.user


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        return next((token for token in tokens if token.refresh == refresh_token and not token.is_used), None)

    def authenticate_user(self, refresh_token):
        return refresh_token.user

    def revoke_old_credential(self, refresh_token):
        refresh_token.is_used = True
        counts["refreshes"] += 1


class Registration(ClientRegistrationEndpoint):
    def authenticate_token(self, request):
        return "anyone"

    def get_server_metadata(self):
        return metadata()

    def generate_client_secret(self, request):
        return ""

    def save_client(self, client_info, client_metadata, request):
        client = Client({**client_info, **client_metadata})
        clients[client.client_id] = client
        return client


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none"]

    def query_token(self, token_string, token_type_hint):
        return next((token for token in tokens if token_string in (token.access, token.refresh)), None)

    def revoke_token(self, token, request):
        token.is_used = token.is_expired = True
        counts["revoked"] += 1


class Issuer(IssuerParameter):
    def get_issuer(self):
        return behaviour.get("issuer", origin)


def save_token(facts, request):
    tokens.append(Token(facts, request.client, request.user))


app = flask.Flask(__name__)
app.config["OAUTH2_ACCESS_TOKEN_GENERATOR"] = lambda client, grant_type, user, scope: mail_token(user)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(app, query_client=clients.get, save_token=save_token)
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_endpoint(Registration)
server.register_endpoint(Revocation)
server.register_extension(Issuer())


@app.get("/.well-known/oauth-protected-resource/jmap/")
def resource():
    return {"resource": f"{origin}/jmap/", "authorization_servers": [origin], "scopes_supported": SCOPES}


@app.get("/.well-known/oauth-authorization-server")
def metadata():
    return {
        "issuer": origin, "authorization_endpoint": f"{origin}/authorize", "token_endpoint": f"{origin}/token",
        "registration_endpoint": f"{origin}/register", "revocation_endpoint": f"{origin}/revoke",
        "scopes_supported": SCOPES, "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"], "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
    }


@app.post("/register")
def register():
    return server.create_endpoint_response("client_registration")


@app.route("/authorize", methods=["GET", "POST"])
def authorize():
    user = flask.request.args.get("login_hint", "").split("@")[0]
    try:
        grant = server.get_consent_grant(end_user=user)
    except OAuth2Error as error:
        return server.handle_error_response(None, error)
    if flask.request.method == "POST":
        allowed = flask.request.form.get("answer") == "allow"
        return server.create_authorization_response(grant=grant, grant_user=user if allowed else None)
    return ('<!doctype html><html lang="en"><title>Sign in</title><h1>Mail of ' + html.escape(user)
            + '</h1><form method="post"><button name="answer" value="allow">Allow</button>'
            '<button name="answer" value="deny">Deny</button></form></html>')


@app.post("/token")
def token():
    while behaviour.get("hang"):
        time.sleep(0.05)
    response = server.create_token_response()
    if response.status_code == 200 and "lifetime" in behaviour:
        response.set_data(json.dumps({**response.get_json(), "expires_in": behaviour["lifetime"]}))
    return response


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response("revocation")


@app.get("/.well-known/jmap")
def well_known():
    return flask.redirect("/jmap/")


@app.route("/jmap/", defaults={"path": ""}, methods=["GET", "POST"])
@app.route("/jmap/<path:path>", methods=["GET", "POST"])
def mail(path):
    """The mail server, for requests with a token that is valid."""
    given = flask.request.headers.get("Authorization", "").removeprefix("Bearer ")
    with lock:
        is_valid = any(token.access == given and not token.is_expired for token in tokens)
    if not is_valid:
        field = f'Bearer resource_metadata="{origin}/.well-known/oauth-protected-resource/jmap/"'
        return flask.Response(status=401, headers={"WWW-Authenticate": field})
    connection = http.client.HTTPConnection(upstream.hostname, upstream.port)
    headers = {name: value for name, value in flask.request.headers if name in ("Authorization", "Content-Type", "Accept")}
    connection.request(flask.request.method, flask.request.full_path.rstrip("?"), flask.request.get_data(), headers)
    answer = connection.getresponse()
    kept = {name: value for name, value in answer.getheaders() if name.lower() in ("content-type", "location")}
    return flask.Response(answer.read(), answer.status, kept)


def handle(request):
    if request["do"] == "facts":
        return dict(counts)
    with lock:
        if request["do"] in ("expire", "revoke"):
            for issued in tokens:
                issued.is_expired = True
                issued.is_used = issued.is_used or request["do"] == "revoke"
        else:
            behaviour.clear()
            behaviour.update(request)
    return {}


def main():
    global origin
    werkzeug.serving.WSGIRequestHandler.log = lambda *arguments, **named: None
    running = werkzeug.serving.make_server("127.0.0.1", 0, app, threaded=True)
    origin = f"http://127.0.0.1:{running.server_port}"
    threading.Thread(target=running.serve_forever, daemon=True).start()
    print(json.dumps({"ok": True, "port": running.server_port}), flush=True)
    for line in sys.stdin:
        print(json.dumps({"ok": True, **handle(json.loads(line))}), flush=True)
    os._exit(0)


main()
