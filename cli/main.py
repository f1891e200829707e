"""The command `scholarsearch`: its verbs by name. A verb's modules are imported when it is called."""

from __future__ import annotations

import typer

from .backup import backup, restore
from .bench import bench
from .bench_assignment import assignment
from .bench_blend import blend
from .bench_estimates import estimates
from .bench_experiments import experiments
from .bench_exposures import exposures
from .bench_feedback import feedback_loop
from .bench_ingest import intake
from .bench_ladder import ladder_bench
from .bench_links import links
from .bench_live import live
from .bench_replay import outside
from .canary import canary
from .doctor import doctor
from .eval import evaluate
from .experiment import experiment
from .experiment_report import power, report
from .feedback import feedback
from .freshness import freshness
from .index import index
from .ingest import ingest
from .ladder import ladder
from .learn import learn
from .lint_set import lint_set
from .pool import pool
from .rank import rank
from .records import records
from .replay import replay
from .search import search
from .serve import serve
from .sweep import sweep
from .train import train

app = typer.Typer(
    name="scholarsearch",
    help="Search for scholarships, fellowships and grants: serve it, ask it, measure it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("index")(index)
app.command("ingest")(ingest)
app.command("search")(search)
app.command("serve")(serve)
app.command("rank")(rank)
app.command("eval")(evaluate)
app.command("sweep")(sweep)
app.command("lint-set")(lint_set)
app.command("train")(train)
app.command("replay")(replay)
app.command("doctor")(doctor)
app.command("canary")(canary)
app.command("backup")(backup)
app.command("restore")(restore)
bench.command("assignment")(assignment)
bench.command("blend")(blend)
bench.command("estimates")(estimates)
bench.command("experiments")(experiments)
bench.command("feedback")(exposures)
bench.command("feedback-loop")(feedback_loop)
bench.command("ingest")(intake)
bench.command("ladder")(ladder_bench)
bench.command("links")(links)
bench.command("live")(live)
bench.command("replay")(outside)
experiment.command("report")(report)
experiment.command("power")(power)
app.add_typer(bench, name="bench")
app.add_typer(learn, name="learn")
app.add_typer(pool, name="pool")
app.add_typer(records, name="records")
app.add_typer(experiment, name="experiment")
app.add_typer(feedback, name="feedback")
app.add_typer(freshness, name="freshness")
app.add_typer(ladder, name="ladder")


def main() -> None:
    """Runs the verb named on the command line; the entry point of the package."""
    app()
