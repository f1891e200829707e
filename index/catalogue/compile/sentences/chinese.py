"""Chinese sentences: written in the Traditional script, converted for the Simplified one."""

from __future__ import annotations

from functools import cache

from opencc_purepy import OpenCC

from index.catalogue.compile.facts import Facts, Money, Round
from index.catalogue.compile.sentences.english import number
from index.catalogue.compile.sentences.writer import Writer
from index.catalogue.compile.tables import phrase

_CURRENCY = {
    "TWD": "新臺幣",
    "USD": "美金",
    "CNY": "人民幣",
    "JPY": "日圓",
    "EUR": "歐元",
    "HKD": "港幣",
    "GBP": "英鎊",
}


class Chinese(Writer):
    """Chinese as written in Taiwan."""

    language = "zh"
    joint = ""

    def opening(self, facts: Facts) -> str:
        """Kind, level, provider and country."""
        kind = phrase(f"kind:{facts.kind}", self.language)
        levels = "、".join(self.levels(facts))
        text = f"{facts.provider}提供的" if facts.provider else ""
        hosts = self.places(facts.hosts)
        where = f"，就讀地：{'、'.join(hosts)}" if hosts else ""
        return f"{text}{kind}{f'（{levels}）' if levels else ''}{where}。"

    def fields(self, facts: Facts) -> str:
        """Fields of study."""
        if facts.fields:
            return f"領域：{'、'.join(self.words('field', facts.fields))}。"
        return "科系不限。" if facts.any_field else ""

    def money(self, money: Money) -> str:
        """A sum."""
        currency = _CURRENCY.get(money.currency, money.currency)
        period = {"month": "每月", "year": "每年"}.get(money.period or "", "")
        if money.low is not None and money.high is not None and money.low != money.high:
            amount = f"{number(money.low)}至{number(money.high)}元"
        elif money.low is None:
            amount = f"最高{number(money.high or 0)}元"
        elif money.high is None:
            amount = f"至少{number(money.low)}元"
        else:
            amount = f"{number(money.low)}元"
        return f"金額：{period}{currency}{amount}。"

    def covers(self, facts: Facts) -> str:
        """What is paid for."""
        tags = tuple(tag for tag in facts.coverage if tag != "full")
        words = "、".join(self.words("cover", tags))
        if "full" in facts.coverage:
            return f"全額補助{f'，含{words}' if words else ''}。"
        return f"補助項目：{words}。" if words else ""

    def always(self) -> str:
        """Applications at any time."""
        return "全年皆可申請。"

    def dated(self, rounds: list[Round]) -> str:
        """Rounds with known days."""
        days = [item.deadline_on for item in rounds if item.deadline_on]
        text = "、".join(f"{day.year}年{day.month}月{day.day}日" for day in days)
        return f"申請截止日：{text}。"

    def yearly(self, month_days: list[tuple[int, int]]) -> str:
        """Days that return every year."""
        return f"每年截止日：{'、'.join(f'{month}月{day}日' for month, day in month_days)}。"

    def nationalities(self, facts: Facts) -> str:
        """Whose citizens may apply."""
        if facts.nationalities == ("any",):
            return "國籍不限。"
        names = self.places(facts.nationalities)
        return f"限{'、'.join(names)}國籍。" if names else ""

    def note(self, key: str, value: str) -> str:
        """A fact with a value."""
        patterns = {
            "residence": "設籍{}。", "origin": "祖籍{}。", "age_max": "年齡上限{}歲。", "age": "年齡{}歲。",
            "gpa_min": "平均成績至少{}。", "places": "名額{}名。",
        }  # fmt: skip
        if key == "citizens_or_residents":
            return f"{self.gazetteer.name(value, self.language)}公民或永久居民。"
        return patterns[key].format(value) if key in patterns else ""


@cache
def _to_simplified() -> OpenCC:
    return OpenCC("tw2sp")


def simplified(text: str) -> str:
    """The text in the Simplified script, with mainland words."""
    return str(_to_simplified().convert(text))


class SimplifiedChinese(Chinese):
    """Chinese as written on the mainland: our Traditional sentences, converted."""

    def description(self, facts: Facts) -> str:
        """The description in the Simplified script."""
        return simplified(super().description(facts))

    def eligibility(self, facts: Facts) -> str | None:
        """The eligibility in the Simplified script."""
        text = super().eligibility(facts)
        return simplified(text) if text else None
