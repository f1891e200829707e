"""What every test may lean on: twelve invented scholarships, a frozen clock, the shared data, no network.

The guard at the bottom makes a test that reaches for another machine fail at once, with a clear message:
a green run then means that nothing outside was needed.
"""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from ipaddress import ip_address
from pathlib import Path

# Before anything imports a model library: they read it once, at their own import.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import pytest
from hypothesis import HealthCheck, settings

from index.document import Amount, Document, Translation, Window

ROOT = Path(__file__).resolve().parent.parent
NOW = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)

settings.register_profile("dev", deadline=None, max_examples=50)
settings.register_profile(
    "ci",
    deadline=None,
    max_examples=150,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if os.environ.get("CI") else os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared development data; the test is skipped, with the reason, where it is absent."""
    folder = Path(os.environ.get("SCHOLARSEARCH_SHARED") or ROOT.parent / "shared")
    if not (folder / "data").is_dir():
        pytest.skip("shared development data not found: set SCHOLARSEARCH_SHARED to its folder")
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; the test is skipped, with the reason, where there is none."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium on this machine: install the package `chromium`")
    return found


@pytest.fixture
def frozen_now() -> datetime:
    """The instant at which `twelve` shows every availability: 2026-10-01 12:00 UTC."""
    return NOW


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip, with the reason, what needs a device or a hub that is not here."""
    if item.get_closest_marker("gpu") and not Path("/dev/nvidia0").exists():
        pytest.skip("no CUDA device on this machine")
    if item.get_closest_marker("hub") and not os.environ.get("SCHOLARSEARCH_HUB"):
        pytest.skip("no model hub: set SCHOLARSEARCH_HUB=1 where one can be reached")


# --- twelve scholarships ------------------------------------------------------------------------------


def _fixed(deadline: date, opens: date | None = None, zone: str | None = None) -> Window:
    return Window(opens_on=opens, deadline_on=deadline, zone=zone, kind="fixed")


def _award(doc_id: str, title: str, provider: str, **facts: object) -> Document:
    return Document(
        doc_id=doc_id,
        title=title,
        provider=provider,
        url=f"https://awards.example/{doc_id}",
        source="invented",
        licence="CC0-1.0",
        updated_at=datetime(2026, 9, 1, tzinfo=UTC),
        **facts,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="session")
def twelve() -> tuple[Document, ...]:
    """Twelve invented scholarships in ten languages, in ascending id.

    At `frozen_now` a01-a03 and a11 are open (a11 on its very last day), a04-a05 upcoming, a06 rolling, a07
    says nothing of time, a08 recurs on a day without a year, a09-a10 are closed; a12 has a closed round and
    a coming one.
    """
    return (
        _award(
            "a01-ocean-phd", "Ocean Futures Doctoral Fellowship", "Northsea Institute", language="en",
            aliases=("OFDF",),
            description="Four years of funding for doctoral research on marine ecosystems.",
            eligibility="Applicants need a master's degree in biology, chemistry or earth science.",
            host_countries=("NO",), eligible_nationalities=("any",), levels=("phd",), fields=("0521",),
            amount=Amount(min=32000.0, max=32000.0, currency="EUR", period="year"),
            windows=(_fixed(date(2026, 11, 30), date(2026, 9, 1), "Europe/Oslo"),),
        ),
        _award(
            "a02-silk-road", "丝路青年硕士奖学金", "江海大学", language="zh",
            aliases=("Silk Road Youth Scholarship", "SRYS"),
            description="资助国际学生来华攻读工程类硕士学位。",
            eligibility="申请人须持有外国护照, 年龄不超过三十五周岁。",
            host_countries=("CN",), eligible_nationalities=("ID", "KZ", "PK"), levels=("master",),
            fields=("0710",),
            amount=Amount(min=3000.0, max=3000.0, currency="CNY", period="month"),
            windows=(_fixed(date(2026, 12, 15), date(2026, 9, 15), "Asia/Shanghai"),),
            translations={"en": Translation("Silk Road Youth Master's Scholarship")},
        ),
        _award(
            "a03-hua-liao", "花蓮清寒學生助學金", "花蓮學苑基金會", language="zh-Hant",
            description="補助家境清寒之大學部學生學雜費。", eligibility="須設籍花蓮縣滿一年。",
            host_countries=("TW",), eligible_nationalities=("TW",), levels=("bachelor",),
            amount=Amount(min=20000.0, max=20000.0, currency="TWD", period="once"),
            windows=(_fixed(date(2026, 10, 20), date(2026, 9, 20), "Asia/Taipei"),),
        ),
        _award(
            "a04-werkstatt", "Stipendium Offene Werkstatt", "Stiftung Lindenhof", language="de",
            description="Förderung für Studierende der Ingenieurwissenschaften aus dem Ausland.",
            host_countries=("DE",), eligible_nationalities=None, levels=("bachelor", "master"),
            fields=("0710",),
            amount=Amount(min=934.0, max=1200.0, currency="EUR", period="month"),
            windows=(_fixed(date(2027, 1, 31), date(2026, 11, 1), "Europe/Berlin"),),
        ),
        _award(
            "a05-andes", "Beca Andina de Posgrado", "Fundación Puente Alto", language="es",
            description="Beca completa para maestrías en salud pública.", host_countries=("CL", "PE"),
            eligible_nationalities=("BO", "CO", "EC"), levels=("master",), fields=("0910",),
            coverage=("tuition", "travel"),
            windows=(_fixed(date(2027, 3, 15), date(2027, 1, 10)),),
        ),
        _award(
            "a06-emergency", "Student Emergency Grant", "Harbour College", language="en",
            description="Small grants for sudden hardship, decided every week.", host_countries=("CA",),
            levels=("bachelor", "master", "phd"), amount=Amount(max=1500.0, currency="CAD", period="once"),
            windows=(Window(kind="rolling", text="accepted all year"),),
        ),
        _award(
            "a07-hanbit", "한빛 미래인재 장학금", "한빛장학재단", language="ko",
            description="이공계 학부생에게 등록금을 지원합니다.", host_countries=("KR",),
            levels=("bachelor",),
        ),
        _award(
            "a08-bjork", "Björkmans resestipendium", "Stiftelsen Björkman", language="sv",
            description="Resebidrag till studenter i musik och scenkonst.", host_countries=("SE",),
            eligible_nationalities=("SE",), fields=("0215",),
            windows=(Window(month_day="--03-01", kind="recurring", zone="Europe/Stockholm"),),
        ),
        _award(
            "a09-mistral", "Bourse Mistral d'excellence", "Université des Deux-Rives", language="fr",
            description="Bourse de master en mathématiques pour étudiants étrangers.", host_countries=("FR",),
            eligible_nationalities=("any",), levels=("master",), fields=("0541",),
            amount=Amount(min=10000.0, max=10000.0, currency="EUR", period="year"),
            windows=(_fixed(date(2026, 3, 31), date(2026, 1, 15), "Europe/Paris"),),
        ),
        _award(
            "a10-sakura", "さくら国際交流奨学金", "青葉財団", language="ja",
            description="日本の大学院で学ぶ留学生を対象とする。", host_countries=("JP",),
            levels=("master", "phd"),
            windows=(_fixed(date(2026, 9, 30), zone="Asia/Tokyo"),),
        ),
        _award(
            "a11-mare", "Bolsa Mar Aberto de Pós-Doutoramento", "Instituto Mar Aberto", language="pt",
            description="Bolsa de investigação em ciências do mar.", host_countries=("PT",),
            levels=("postdoc",),
            fields=("0521",), windows=(_fixed(date(2026, 10, 1), zone="AoE"),), programme_id="mar-aberto",
        ),
        _award(
            "a12-ocean-summer", "Ocean Futures Summer School Grant", "Northsea Institute", language="en",
            aliases=("OFSSG",),
            description="Travel grants for undergraduates; old rounds are kept for the record.",
            host_countries=("NO",), eligible_nationalities=("any",), levels=("bachelor",), fields=("0521",),
            amount=Amount(text="varies"),
            windows=(
                _fixed(date(2026, 4, 30), date(2026, 2, 1)),
                _fixed(date(2027, 4, 30), date(2027, 2, 1)),
            ),
        ),
    )  # fmt: skip


# --- no network ---------------------------------------------------------------------------------------


def _is_here(family: int, address: object) -> bool:
    """Whether an address belongs to this machine. Only AF_INET and AF_INET6 can lead elsewhere."""
    if family not in (socket.AF_INET, socket.AF_INET6) or not isinstance(address, tuple):
        return True
    host = str(address[0]).partition("%")[0]
    try:
        return ip_address(host).is_loopback or ip_address(host).is_unspecified
    except ValueError:
        return host in ("", "localhost")


def _guarded(name: str) -> Callable[..., object]:
    real = getattr(socket.socket, name)

    def guarded(self: socket.socket, *arguments: object) -> object:
        if not _is_here(self.family, arguments[-1]):
            raise RuntimeError(f"a test tried to reach {arguments[-1]!r}: only this machine may be talked to")
        return real(self, *arguments)

    return guarded


@pytest.fixture(autouse=True, scope="session")
def only_this_machine() -> Iterator[None]:
    """Sockets that lead to another machine raise RuntimeError for the length of the session."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex", "sendto"):
            patch.setattr(socket.socket, name, _guarded(name))
        yield
