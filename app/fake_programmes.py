"""Nine invented programmes for the fake engine: every availability, three languages, many unknowns.

None of them exists; names, sums and days are made up to be easy to tell apart.
"""

from __future__ import annotations

from datetime import UTC, date, datetime

from index.document import Amount, Document, Window

UPDATED_AT = datetime(2026, 4, 1, 12, tzinfo=UTC)


def programmes() -> tuple[Document, ...]:
    """The programmes, by ascending id."""
    return (
        Document(
            "aurora-doctoral",
            "Aurora Doctoral Fellowship",
            aliases=("ADF", "Aurora PhD Award"),
            provider="Aurora Foundation",
            description="Three years of funding for doctoral research on northern climates.",
            eligibility="Applicants hold a master's degree in a natural science.",
            host_countries=("NO",),
            eligible_nationalities=("any",),
            levels=("phd",),
            fields=("0521", "0532"),
            amount=Amount(24_000.0, 24_000.0, "EUR", "year", "24,000 euros a year"),
            windows=(
                Window(date(2026, 3, 1), date(2026, 5, 31), zone="Europe/Oslo", kind="fixed", cycle="2026"),
            ),
            language="en",
            url="https://aurora.example/doctoral",
            updated_at=UPDATED_AT,
        ),
        Document(
            "baobab-master",
            "Baobab Master's Grant",
            provider="Baobab Trust",
            description="Tuition for a master's degree at an African university.",
            host_countries=("KE", "GH", "ZA"),
            eligible_nationalities=("KE", "GH", "NG", "ZA"),
            levels=("master",),
            amount=Amount(max=9_000.0, currency="USD", period="total", text="up to 9,000 dollars"),
            windows=(Window(date(2026, 9, 1), date(2026, 10, 15), kind="fixed", cycle="2026-27"),),
            language="en",
            url="https://baobab.example/master",
            updated_at=UPDATED_AT,
        ),
        Document(
            "cinder-prize", "Cinder Essay Prize", description="A prize for an essay; nothing more is known."
        ),
        Document(
            "delta-rolling",
            "Delta Emergency Grant",
            aliases=("DEG",),
            provider="Delta Student Union",
            description="Small sums for students in sudden need, at any time of the year.",
            host_countries=("US",),
            levels=("bachelor", "master", "phd"),
            amount=Amount(200.0, 1_500.0, "USD", "once", "200 to 1,500 dollars"),
            windows=(Window(kind="rolling"),),
            language="en",
        ),
        Document(
            "ember-postdoc",
            "Ember Postdoctoral Scheme",
            provider="Ember Academy",
            description="Two years of research on fire ecology.",
            host_countries=("AU",),
            levels=("postdoc",),
            fields=("0521",),
            windows=(
                Window(
                    date(2025, 8, 1), date(2025, 9, 30), zone="Australia/Sydney", kind="fixed", cycle="2025"
                ),
            ),
            language="en",
        ),
        Document(
            "frost-bachelor",
            "Frost-Stipendium für das Bachelorstudium",
            provider="Stiftung Frost",
            description="Für Studierende des ersten Jahres an deutschen Hochschulen.",
            host_countries=("DE",),
            levels=("bachelor",),
            amount=Amount(300.0, 300.0, "EUR", "month", "300 Euro im Monat"),
            windows=(Window(month_day="--07-15", kind="recurring"),),
            language="de",
        ),
        Document(
            "gaoshan-phd",
            "高山博士奖学金",
            aliases=("Gaoshan Doctoral Scholarship",),
            provider="高山基金会",
            description="资助国际学生在中国攻读博士学位。",
            host_countries=("CN",),
            eligible_nationalities=("any",),
            levels=("phd",),
            amount=Amount(42_000.0, 42_000.0, "CNY", "year", "每年42000元"),
            windows=(
                Window(date(2026, 2, 1), date(2026, 5, 1), zone="Asia/Shanghai", kind="fixed", cycle="2026"),
            ),
            language="zh",
        ),
        Document(
            "harbour-exchange",
            "Harbour Exchange Bursary",
            provider="Harbour Cities Network",
            description="One term abroad in a partner city.",
            host_countries=("SG", "NL"),
            levels=("bachelor", "master"),
            windows=(Window(None, date(2026, 5, 1), time="12:00", kind="fixed"),),
            language="en",
            updated_at=UPDATED_AT,
        ),
        Document(
            "iris-research",
            'Iris <b>Research</b> & "Travel" Fund',
            provider="Iris Society",
            description="Pays for journeys to archives. The title holds markup on purpose: it is text.",
            windows=(),
            language="en",
        ),
    )
