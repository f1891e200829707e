"""Korean sentences."""

from __future__ import annotations

from index.catalogue.compile.facts import Facts, Money, Round
from index.catalogue.compile.sentences.english import number
from index.catalogue.compile.sentences.writer import Writer
from index.catalogue.compile.tables import phrase

_CURRENCY = {"KRW": "원", "USD": "달러", "JPY": "엔", "EUR": "유로"}
_PERIOD = {"month": "월 ", "year": "연 "}


class Korean(Writer):
    """Korean, in label style so that no particle can be wrong."""

    language = "ko"

    def opening(self, facts: Facts) -> str:
        """Kind, level, provider and country."""
        kind = phrase(f"kind:{facts.kind}", "ko")
        text = f"{facts.provider} {kind}." if facts.provider else f"{kind}."
        if self.levels(facts):
            text += f" 대상: {', '.join(self.levels(facts))}."
        hosts = self.places(facts.hosts)
        return text + (f" 국가: {', '.join(hosts)}." if hosts else "")

    def fields(self, facts: Facts) -> str:
        """Fields of study."""
        if facts.fields:
            return f"분야: {', '.join(self.words('field', facts.fields))}."
        return "전공 제한 없음." if facts.any_field else ""

    def money(self, money: Money) -> str:
        """A sum."""
        unit = _CURRENCY.get(money.currency, f" {money.currency}")
        period = _PERIOD.get(money.period or "", "")
        if money.low is not None and money.high is not None and money.low != money.high:
            return f"지원 금액: {period}{number(money.low)}~{number(money.high)}{unit}."
        if money.low is None:
            return f"지원 금액: {period}최대 {number(money.high or 0)}{unit}."
        return f"지원 금액: {period}{number(money.low)}{unit}."

    def covers(self, facts: Facts) -> str:
        """What is paid for."""
        words = self.words("cover", tuple(tag for tag in facts.coverage if tag != "full"))
        head = "전액 지원." if "full" in facts.coverage else ""
        rest = f"지원 항목: {', '.join(words)}." if words else ""
        return f"{head} {rest}".strip()

    def always(self) -> str:
        """Applications at any time."""
        return "상시 신청 가능."

    def dated(self, rounds: list[Round]) -> str:
        """Rounds with known days."""
        days = [
            f"{day.year}년 {day.month}월 {day.day}일" for day in (item.deadline_on for item in rounds) if day
        ]
        return f"신청 마감: {', '.join(days)}."

    def yearly(self, month_days: list[tuple[int, int]]) -> str:
        """Days that return every year."""
        return f"매년 마감: {', '.join(f'{month}월 {day}일' for month, day in month_days)}."

    def nationalities(self, facts: Facts) -> str:
        """Whose citizens may apply."""
        if facts.nationalities == ("any",):
            return "국적 제한 없음."
        names = self.places(facts.nationalities)
        return f"국적: {', '.join(names)}." if names else ""

    def note(self, key: str, value: str) -> str:
        """A fact with a value."""
        patterns = {
            "residence": "지역: {}.", "gpa_min": "평점 {} 이상.", "age": "나이: {}세.", "age_max": "만 {}세 이하.",
            "places": "선발 인원 {}명.",
        }  # fmt: skip
        return patterns[key].format(value) if key in patterns else ""
