"""The rules of the API that a JSON Schema can't express, so that schemathesis sends no request that they reject, and
what keeps its run short."""

import gc
import itertools
import os
from datetime import datetime, timezone

import schemathesis

# The id of the API key that schemathesis itself uses.
OWN_KEY = "k1"

BYTES = {
    "name": 100, "person": 256, "surface": 256, "title": 1_000, "body": 65_536, "alt": 1_000, "text": 200, "id": 256,
    "type": 256, "value": 4_096, "actionType": 256, "templateId": 256, "category": 256, "groupKey": 256,
    "consentCategory": 256, "campaignId": 256, "campaign": 256, "prefix": 256, "after": 256, "buttonLabel": 1_000,
    "emptyTitle": 1_000, "emptyMessage": 1_000, "errorTitle": 1_000, "errorMessage": 1_000,
}

# The messages of an import that are whole, where a list is as long as it may be.
WHOLE_MESSAGES = 100

# What is made lives until the end of the run: looking for garbage as often as by default takes a tenth of its time.
gc.freeze()
gc.set_threshold(100_000, 50, 1_000)


def is_past(text):
    try:
        return datetime.fromisoformat(text.upper().replace("Z", "+00:00")) <= datetime.now(timezone.utc)
    except ValueError:
        return True


def is_refused(value):
    """Whether a limit in bytes, a date or a repeated id makes the server reject a value."""
    if isinstance(value, list):
        ids = [item.get("id") for item in value if isinstance(item, dict) and isinstance(item.get("id"), str)]
        return len(ids) != len(set(ids)) or any(is_refused(item) for item in value)
    if not isinstance(value, dict):
        return False
    for name, item in value.items():
        if isinstance(item, str):
            if len(item.encode("utf-8", "surrogatepass")) > BYTES.get(name, 1 << 30):
                return True
            if name == "expiresAt" and is_past(item):
                return True
        if name == "deliverAt" and isinstance(value.get("expiresAt"), str):
            return True
        if name in ("additionalData", "attributes") and isinstance(item, dict):
            limit = 256 if name == "additionalData" else 64
            if any(len(key.encode("utf-8", "surrogatepass")) > limit for key in item):
                return True
        if is_refused(item):
            return True
    return False


@schemathesis.hook
def map_case(context, case):
    """Of 10,000 messages to import, only the first are whole; the others are known by their ids. A debug build takes
    seconds to read whole ones, which `make test-long` sends."""
    if os.environ.get("SWIFT_INBOX_LONG_TESTS") or not isinstance(case.body, dict):
        return case
    messages = case.body.get("messages")
    if isinstance(messages, list) and len(messages) > WHOLE_MESSAGES:
        others = [
            {"messageId": each["messageId"]} if isinstance(each, dict) and "messageId" in each else each
            for each in messages[WHOLE_MESSAGES:]
        ]
        case.body = case.body | {"messages": messages[:WHOLE_MESSAGES] + others}
    return case


@schemathesis.hook
def filter_case(context, case):
    operation = case.operation.definition.raw.get("operationId")
    if operation == "revokeKey" and (case.path_parameters or {}).get("id") == OWN_KEY:
        return False
    # The date of a delivered message can't be changed.
    if operation == "editMessage" and isinstance(case.body, dict) and isinstance(case.body.get("message"), dict):
        if case.body["message"].get("deliverAt") is not None:
            return False
    # A patched message has to be valid, with media that exist.
    if operation == "patchMessage" and isinstance(case.body, dict) and isinstance(case.body.get("message"), dict):
        patch = case.body["message"]
        if patch.get("deliverAt") is not None or not patch.get("title") or patch.get("media") is not None:
            return False
    if any(len(str(value).encode("utf-8", "surrogatepass")) > 256 for value in (case.path_parameters or {}).values()):
        return False
    return not is_refused(case.body) and not is_refused(case.query)


numbers = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes each idempotency key unique: a repeated request returns the id of a message that may have been recalled."""
    key = (case.headers or {}).get("Idempotency-Key")
    if key and len(key) < 200:
        case.headers["Idempotency-Key"] = f"{key}-{next(numbers)}"
