"""`bespeak reconcile` and what `bespeak doctor` says of the money, as a user has them."""

import json
import os
import subprocess
import sys

import pytest

import bespeak
from bespeak.payments.reconciliation.differences import DIFFERENCES
from tests.harness.database import Connection
from tests.harness.paying import paid_show, pay, paying_engine
from tests.harness.settling import until
from tests.harness.shows import MakeShow

engine = paying_engine


def command(url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    others = {name: text for name, text in os.environ.items() if not name.startswith("BESPEAK_")}
    others |= {"BESPEAK_DATABASE_URL": url, "BESPEAK_PAYMENT_PROVIDERS": "", "COLUMNS": "160"}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "bespeak", *arguments],
        env=others,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


async def test_it_compares_and_lists_what_differs(
    engine: bespeak.Engine, database_url: str, make_show: MakeShow, connection: Connection
) -> None:
    now = await connection.fetchval("select bespeak.now()::date::text")
    around = ("--since", now, "--provider", "sandbox")
    show = await paid_show(make_show)
    payment_id = await pay(engine, show, "A1", "tok_success")
    await until(engine, payment_id, "captured")
    ended = command(database_url, "reconcile", *around)
    assert ended.returncode == 0, ended.stderr
    assert "1 payments here, 1 there, 0 unsettled, 0 differences" in ended.stdout

    await connection.execute("update bespeak.sandbox_payment set state = 'voided'")
    ended = command(database_url, "reconcile", *around)
    assert ended.returncode == 1, ended.stderr
    assert payment_id in ended.stdout
    assert DIFFERENCES["state_differs"][:30] in ended.stdout
    ended = command(database_url, "reconcile", *around, "--json")
    assert ended.returncode == 1
    (report,) = json.loads(ended.stdout)
    assert report["differences_total"] == 1
    assert report["differences"][0]["theirs"]["state"] == "voided"
    findings = {one["check"]: one for one in json.loads(doctor(database_url))}
    assert findings["money"]["verdict"] == "ok"
    assert findings["reconciliation"]["verdict"] == "failed"
    remedy = findings["reconciliation"]["remedy"].split("`")[1]
    await connection.execute("update bespeak.sandbox_payment set state = 'captured'")
    assert command(database_url, *remedy.split()[1:]).returncode == 0  # as it says
    findings = {one["check"]: one for one in json.loads(doctor(database_url))}
    assert findings["reconciliation"]["verdict"] == "ok"


async def test_the_doctor_tells_where_money_and_bookings_disagree(
    engine: bespeak.Engine, database_url: str, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    payment_id = await pay(engine, show, "A1", "tok_success")
    await until(engine, payment_id, "captured")
    await connection.execute("delete from bespeak.booking")
    findings = {one["check"]: one for one in json.loads(doctor(database_url))}
    assert findings["money"]["verdict"] == "failed"
    assert payment_id in findings["money"]["seen"]


def doctor(url: str) -> str:
    return command(url, "doctor", "--json").stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "BESPEAK_PAYMENT_PROVIDERS"),
        (["--provider", "nobody"], "nobody"),
        (["--provider", "sandbox", "--since", "yesterday"], "since"),
        (["--provider", "sandbox", "--until", "2026-11-31"], "until"),
    ],
)
def test_what_makes_no_sense_is_one_clear_sentence(
    database_url: str, arguments: list[str], told: str
) -> None:
    ended = command(database_url, "reconcile", *arguments)
    assert ended.returncode == 1
    assert told in ended.stderr
    assert ended.stderr.startswith("bespeak: ")
    assert ended.stderr.count("\n") == 1
