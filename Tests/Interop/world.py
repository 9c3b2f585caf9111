"""The server of a test: its URL, and the calls of the app's backend."""

import os

import requests

URL = os.environ["INBOX_URL"]
HOST = URL.removeprefix("https://")
BACKEND = {"Authorization": f"Bearer {os.environ['INBOX_KEY']}"}
MESSAGES = "https://swift-inbox.example/jmap/messages"


def token(person):
    answer = requests.post(f"{URL}/v1/people/{person}/tokens", headers=BACKEND, timeout=30)
    answer.raise_for_status()
    return answer.json()["token"]


def send(person, title):
    body = {"to": {"person": person}, "message": {"title": title}}
    answer = requests.post(f"{URL}/v1/messages", json=body, headers=BACKEND, timeout=30)
    answer.raise_for_status()
    return answer.json()["id"]
