"""The alert rules of deploy/alerts.yml, run by Prometheus's own promtool."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.programs import program

RULES = Path(__file__).parents[2] / "deploy" / "alerts.yml"
ALERTS: dict[str, dict[str, Any]] = {
    rule["alert"]: rule for group in yaml.safe_load(RULES.read_text("utf-8"))["groups"] for rule in group["rules"]
}
REQUESTS, TIMES = "arbiter_http_requests_total", "arbiter_http_request_seconds_bucket"
FIRING: dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]] = {
    "ArbiterDatabaseDown": ([("arbiter_database_up", "0x30")], [("arbiter_database_up", "1x30")]),
    "ArbiterWorkerHalted": (
        [('arbiter_halted{part="relay"}', "1x30")],
        [('arbiter_halted{part="relay"}', "0x30")],
    ),
    "ArbiterWorkerSilent": (
        [("arbiter_worker_silent_seconds", "0+60x30")],
        [("arbiter_worker_silent_seconds", "1x30")],
    ),
    "ArbiterPartitionUnowned": ([("arbiter_partitions_unowned", "1x30")], [("arbiter_partitions_unowned", "0x30")]),
    "ArbiterRelayBehind": ([("arbiter_relay_age_seconds", "0+60x30")], [("arbiter_relay_age_seconds", "0.1x30")]),
    "ArbiterOutboxFilling": ([("arbiter_outbox_records", "10001x30")], [("arbiter_outbox_records", "10000x30")]),
    "ArbiterWorkerBehind": ([("arbiter_worker_lag_records", "1001x30")], [("arbiter_worker_lag_records", "1000x30")]),
    "ArbiterTablesBehind": ([("arbiter_log_lag_events", "1001x30")], [("arbiter_log_lag_events", "1000x30")]),
    "ArbiterTournamentSuspended": (
        [("arbiter_parked_tournaments", "1x30")],
        [("arbiter_parked_tournaments", "0x30")],
    ),
    "ArbiterCheckpointsRefused": (
        [("arbiter_checkpoints_refused", "1x30")],
        [("arbiter_checkpoints_refused", "0x30")],
    ),
    "ArbiterSignerMemoryDown": ([("arbiter_signer_memory_up", "0x30")], [("arbiter_signer_memory_up", "1x30")]),
    "ArbiterEventsLost": ([("arbiter_lost_events", "1x30")], [("arbiter_lost_events", "0x30")]),
    "ArbiterTextsLost": ([("arbiter_lost_texts", "1x30")], [("arbiter_lost_texts", "0x30")]),
    "ArbiterTopicFinding": (
        [('arbiter_topic_findings{kind="gap"}', "1x30")],
        [('arbiter_topic_findings{kind="gap"}', "0x30")],
    ),
    "ArbiterForeignKey": ([("arbiter_foreign_keys", "1x30")], [("arbiter_foreign_keys", "0x30")]),
    "ArbiterClockAhead": ([("arbiter_clock_ahead_seconds", "6x30")], [("arbiter_clock_ahead_seconds", "4x30")]),
    "ArbiterWitnessSilent": (
        [('arbiter_witness_up{witness="w"}', "0x30")],
        [('arbiter_witness_up{witness="w"}', "0x5 1x25")],
    ),
    "ArbiterWebhookStopped": ([("arbiter_webhooks_stopped", "1x30")], [("arbiter_webhooks_stopped", "0x30")]),
    "ArbiterCrash": ([("arbiter_http_crashes_total", "0x24 1x6")], [("arbiter_http_crashes_total", "1x30")]),
    "ArbiterRequestsFail": (
        [(f'{REQUESTS}{{status="503"}}', "0+10x30"), (f'{REQUESTS}{{status="200"}}', "0+90x30")],
        [(f'{REQUESTS}{{status="422"}}', "0+90x30"), (f'{REQUESTS}{{status="200"}}', "0+10x30")],
    ),
    "ArbiterRequestsSlow": (
        [
            (f'{TIMES}{{method="POST",le="{le}"}}', f"0+{count}x30")
            for le, count in (("1.0", 90), ("5.0", 100), ("+Inf", 100))
        ],
        [
            (f'{TIMES}{{method="GET",le="{le}"}}', f"0+{count}x30")
            for le, count in (("1.0", 90), ("5.0", 100), ("+Inf", 100))
        ],
    ),
}
"""Alert → series (one value per minute) at whose end it fires, and similar ones at whose end it does not."""


def metrics_of_alerts() -> set[str]:
    """Return the names of the metrics that the rules are about, without Prometheus's suffixes of counters."""
    names = {series.partition("{")[0] for firing, quiet in FIRING.values() for series, _ in (*firing, *quiet)}
    return {name.removesuffix("_bucket") for name in names}


def _case(series: list[tuple[str, str]], alert: str, fires: bool) -> dict[str, Any]:
    labels = {"instance": "hall:8000"}
    inputs = [{"series": _with_instance(name), "values": values} for name, values in series]
    expression = {"expr": f'count(ALERTS{{alertname="{alert}", alertstate="firing"}})', "eval_time": "28m"}
    samples = [{"labels": "{}", "value": 1}] if fires else []
    return {
        "interval": "1m",
        "external_labels": labels,
        "input_series": inputs,
        "promql_expr_test": [{**expression, "exp_samples": samples}],
    }


def _with_instance(series: str) -> str:
    name, brace, more = series.partition("{")
    return f'{name}{{instance="hall:8000"{"," + more if brace else "}"}'


def test_every_alert_has_a_case_a_severity_and_a_remedy():
    assert ALERTS.keys() == FIRING.keys()
    for name, rule in ALERTS.items():
        assert rule["labels"]["severity"] in ("page", "ticket"), name
        assert rule["annotations"].keys() == {"summary", "remedy"}, name
        assert any(metric in rule["expr"] for metric in metrics_of_alerts()), name


@pytest.mark.parametrize(
    ("page", "words"), [("operator.md", "has {} alert rules"), ("operator.zh-CN.md", "{} 条告警规则")]
)
def test_the_operators_page_states_the_number_of_rules(page: str, words: str):
    assert words.format(len(ALERTS)) in (RULES.parent / "docs" / page).read_text("utf-8")


@pytest.mark.parametrize(("position", "fires"), [(0, True), (1, False)], ids=["trouble", "none"])
def test_alerts_fire_in_trouble_only(tmp_path: Path, position: int, fires: bool):
    cases = [_case(FIRING[alert][position], alert, fires) for alert in FIRING]
    file = tmp_path / "cases.yml"
    file.write_text(json.dumps({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": cases}))
    ran = subprocess.run([program("promtool"), "test", "rules", str(file)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
