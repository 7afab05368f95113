"""What generated requests to the described API need beside its description: a token, and things that are there.

Half of the requests are left as they were generated. The others name an item that exists, its version, and bodies that mean
something, so that operations are reached and not only refused.
"""

import collections
import datetime
import json
import os
import random
import urllib.request

import schemathesis

BASE = os.environ["RECOURSE_URL"]
TOKEN = os.environ["RECOURSE_TOKEN"]
ITEMS = os.environ["RECOURSE_ITEMS"].split(",")
dice = random.Random(20261130)
seen = collections.defaultdict(collections.Counter)


def ask(path, body=None, version=None):
    """Asks the API as who this run is; nothing where it says no."""
    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    if version is not None:
        headers["if-match"] = str(version)
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{BASE}/api/v1/items/{path}", data, headers)) as answer:
            return json.loads(answer.read() or b"{}")
    except OSError:
        return {}


# What has to be done first, so that these are possible.
BEFORE = {"wake": "snooze", "reopen": "resolve"}


def fitting(action):
    """An item on which an action is possible, as it stands; any where there is none."""
    found = {}
    for item in dice.sample(ITEMS, 12):
        found = ask(item)
        first = BEFORE.get(action)
        allowed = {offer["action"] for offer in found.get("actions", []) if offer["allowed"]}
        if action in allowed or action not in SAID:
            return found
        if first in allowed:
            ask(f"{item}/{first}", SAID[first](found), found["version"])
            return ask(item)
    return found


def soon():
    """In an hour, as the API wants times."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)).isoformat()


def report():
    return {
        "workflow": "invoice-sync", "step": "create_invoice", "dedupe_key": f"generated {dice.random()}",
        "failure": {"class": "timeout", "message": "The ledger did not answer in 10 s"}, "payload": {"json": {"amount": 40.00}},
    }


SAID = {
    "/items": lambda item: report(),
    "/items/batch": lambda item: {"items": [report()]},
    "/items/{id}": lambda item: {"source_version": "etag-2"},
    "/items/{id}/attempts": lambda item: {"outcome": "failed", "sent": False},
    "/outcomes/ack": lambda item: {"workflow": "invoice-sync", "through": "0"},
    "claim": lambda item: {}, "release": lambda item: {}, "wake": lambda item: {}, "lookup": lambda item: {},
    "hand_over": lambda item: {"team": "triage", "note": "Yours"},
    "assign": lambda item: {"team": "triage", "note": "Yours"},
    "comment": lambda item: {"text": "Seen"},
    "snooze": lambda item: {"until": soon(), "reason": "Later"},
    "cancel_retry": lambda item: {"reason": "Agreed"},
    "reopen": lambda item: {"reason": "Agreed"},
    "correct": lambda item: {"parent": 1, "text": '{"amount":41}', "reason": "A digit"},
    "replay": lambda item: {"revision": 1, "reason": "It is back"},
    "ask_again": lambda item: {"attempt": (item.get("attempts") or [{}])[0].get("id"), "reason": "It is back"},
    "reconcile": lambda item: {"finding": "not_applied", "source": "the ledger", "evidence": "searched by number"},
    "resolve": lambda item: {"resolution": "discarded", "effect": "none", "reason": "Not wanted"},
    "escalate": lambda item: {"team": "triage", "reason": "Stuck", "respond_by": soon()},
}


def said(path):
    short = path.removeprefix("/api/v1")
    return SAID.get(short) or SAID.get(short.rsplit("/", 1)[-1])


@schemathesis.hook
def before_call(context, case, kwargs):
    case.headers = case.headers or {}
    case.headers["authorization"] = f"Bearer {TOKEN}"
    if dice.random() < 0.5:
        return
    action = case.operation.path.rsplit("/", 1)[-1]
    now = fitting(action) if "{id}" in case.operation.path else {}
    parameters = case.path_parameters or {}
    if "id" in parameters:
        parameters["id"] = now.get("id", ITEMS[0])
    if "number" in parameters:
        parameters["number"] = 1
    case.path_parameters = parameters
    case.query = {"workflow": "invoice-sync"} if "outcomes" in case.operation.path and case.method == "GET" else {}
    for name in [name for name in case.headers if name.lower() in ("if-match", "idempotency-key", "recourse-item")]:
        del case.headers[name]
    body = said(case.operation.path)
    if case.method in ("POST", "PATCH") and body:
        case.body = body(now)
        case.media_type = "application/json"
        if "version" in now:
            case.headers["if-match"] = str(now["version"])


@schemathesis.hook
def after_call(context, case, response):
    seen[(case.method, case.operation.path)][str(response.status_code)] += 1
    told = [{"method": method, "path": path, "statuses": dict(statuses)} for (method, path), statuses in seen.items()]
    with open(os.environ["RECOURSE_LOG_TO"], "w") as log:
        json.dump(told, log)
