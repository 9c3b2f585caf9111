"""Reads mails as a recipient's program would, strictly: fetched by IMAP, parsed by Python's `email`, with all defects.

    python3 read_mails.py PORT USER PASSWORD

Each line of input is a command, `{"do": "read", "folder": F, "after": UID}`. The response is one line: `"mails"` of the
folder with higher UIDs, in their order, or `{"ok": false, "error": "…"}`. A mail has:

    "uid", "messageID", "date" (RFC 3339), "subject", "inReplyTo", "references"
    "from", "sender", "replyTo", "to", "cc", "bcc"      each [{"name", "email"}, ...]
    "text", "html"                                      the bodies, with line feeds; null if there is none
    "structure"                                         such as "mixed(alternative(plain, html), octet-stream)"
    "files"          [{"name", "type", "disposition", "cid", "language", "bytes" in Base64}, ...]
    "languages"                                         those of the bodies
    "faults"                                            what the standards forbid, in words
"""

import base64
import datetime
import email.header
import email.policy
import email.utils
import imaplib
import json
import re
import sys

POLICY = email.policy.default.clone(raise_on_defect=True)
# The header fields that a mail has once at most (RFC 5322, section 3.6; RFC 2045).
UNIQUE = ["date", "from", "sender", "reply-to", "to", "cc", "bcc", "message-id", "in-reply-to", "references",
          "subject", "mime-version", "content-type", "content-transfer-encoding", "content-disposition", "content-id"]
MAX_LINE = 998


def byte_faults(data):
    """What RFC 5322 says about bytes and lines."""
    faults = []
    if re.search(rb"(?<!\r)\n|\r(?!\n)", data):
        faults.append("a line break that isn't CR LF")
    if b"\0" in data:
        faults.append("a null character")
    longest = max(len(line) for line in data.split(b"\r\n"))
    if longest > MAX_LINE:
        faults.append(f"a line of {longest} bytes")
    head = data.split(b"\r\n\r\n", 1)[0]
    if any(byte > 0x7E for byte in head):
        faults.append("a header that isn't ASCII")
    if any(len(line) > MAX_LINE or not line.strip() for line in head.split(b"\r\n")):
        faults.append("a line of the header that is too long or empty")
    return faults


def header_faults(part):
    """What the parser reports of the header fields, which it parses when they are read."""
    faults = [f"{defect!r}" for defect in part.defects]
    names = [name.lower() for name in part.keys()]
    faults += [f"{name} is there {names.count(name)} times" for name in UNIQUE if names.count(name) > 1]
    for name, value in part.items():
        faults += [f"{name}: {defect!r}" for defect in value.defects if not tolerated(name, repr(defect))]
    return faults


def tolerated(name, defect):
    """A server gives a file's name twice: as it should be in Content-Disposition (RFC 2231), whose sections may divide
    a character's bytes, and for old programs in Content-Type, as encoded words within quotation marks."""
    if name.lower() == "content-type":
        return "encoded word inside quoted string" in defect or "whitespace after encoded-word" in defect
    return name.lower() == "content-disposition" and "Undecodable" in defect


def addresses(message, name):
    field = message[name]
    if field is None:
        return []
    # Up to Python 3.12 `display_name` has a space between adjacent encoded words.
    raw = next(value for key, value in message.raw_items() if key.lower() == name)
    names = [str(email.header.make_header(email.header.decode_header(text)))
             for text, _ in email.utils.getaddresses([re.sub(r"\r?\n", "", str(raw))])]
    if len(names) != len(field.addresses):
        return [{"name": "", "email": f"{len(names)} addresses or {len(field.addresses)}"}]
    return [{"name": text, "email": entry.addr_spec} for text, entry in zip(names, field.addresses)]


def ids(message, name):
    return re.findall(r"<([^<>]*)>", re.sub(r"\s", "", str(message.get(name, ""))))


def structure(part):
    if part.get_content_maintype() == "multipart":
        return f"{part.get_content_subtype()}({', '.join(structure(child) for child in part.iter_parts())})"
    return part.get_content_subtype()


def is_body(part):
    return part.get_content_disposition() is None and part.get_content_type() in ("text/plain", "text/html")


def read(data):
    faults = byte_faults(data)
    message = email.message_from_bytes(data, policy=POLICY)
    found = {"text": None, "html": None, "files": [], "languages": []}
    for part in message.walk():
        faults += header_faults(part)
        if part.get_content_maintype() == "multipart":
            continue
        language = part.get("content-language")
        if is_body(part):
            kind = "text" if part.get_content_subtype() == "plain" else "html"
            if found[kind] is not None:
                faults.append(f"a second {kind}")
            found[kind] = part.get_content().replace("\r\n", "\n")
            found["languages"].append(language and str(language))
        else:
            cid = part.get("content-id")
            found["files"].append({
                "name": part.get_filename(),
                "type": part.get_content_type(),
                "disposition": part.get_content_disposition(),
                "cid": cid and re.sub(r"^<(.*)>$", r"\1", str(cid).strip()),
                "bytes": base64.b64encode(part.get_payload(decode=True)).decode(),
            })
    date = message["date"].datetime
    found |= {
        "messageID": "".join(ids(message, "message-id")),
        "date": date and date.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "subject": str(message.get("subject", "")),
        "inReplyTo": ids(message, "in-reply-to"),
        "references": ids(message, "references"),
        "structure": structure(message),
        "faults": faults,
    }
    for name, header in [("from", "from"), ("sender", "sender"), ("replyTo", "reply-to"), ("to", "to"), ("cc", "cc"),
                         ("bcc", "bcc")]:
        found[name] = addresses(message, header)
    return found


def read_folder(connection, folder, after):
    status, answer = connection.select(f'"{folder}"', readonly=True)
    if status != "OK":
        raise ValueError(f"{status} {answer}")
    mails = []
    for uid in connection.uid("SEARCH", f"UID {after + 1}:*")[1][0].split():
        if int(uid) <= after:
            continue
        data = next(item[1] for item in connection.uid("FETCH", uid, "(BODY.PEEK[])")[1] if isinstance(item, tuple))
        try:
            mail = read(data)
        except Exception as error:
            # The mail is the evidence.
            mail = {"faults": [f"{type(error).__name__}: {error}"]}
        mails.append(mail | {"uid": int(uid), "raw": base64.b64encode(data).decode()})
    return mails


def main():
    connection = imaplib.IMAP4("127.0.0.1", int(sys.argv[1]), timeout=120)
    connection.login(sys.argv[2], sys.argv[3])
    for line in sys.stdin:
        command = json.loads(line)
        try:
            answer = {"ok": True, "mails": read_folder(connection, command["folder"], command["after"])}
        except (imaplib.IMAP4.error, OSError, ValueError, KeyError) as error:
            answer = {"ok": False, "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
