"""How a query speaks of time: months, seasons and turns of phrase in the languages we hold. Tables only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

_MONTH_ROWS = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "januari februari mars april maj juni juli augusti september oktober november december",
)
MONTHS: Mapping[str, int] = MappingProxyType(
    {name: at for row in _MONTH_ROWS for at, name in enumerate(row.split(), 1)} | {"sept": 9, "setiembre": 9}
)
"""Name or abbreviation, in lower case → 1-12."""

SEASONS: Mapping[str, int] = MappingProxyType(
    dict.fromkeys(("spring", "frühjahr", "frühling", "primavera", "春季", "春天", "春", "봄"), 3)
    | dict.fromkeys(("summer", "sommer", "verano", "夏季", "夏天", "夏", "여름", "sommaren"), 6)
    | dict.fromkeys(("autumn", "fall", "herbst", "otoño", "秋季", "秋天", "秋", "가을", "höst", "hösten"), 9)
    | dict.fromkeys(("winter", "invierno", "冬季", "冬天", "冬", "겨울", "vintern"), 12)
)
"""Season, in lower case → the month in which it begins on the northern half of the earth."""


def words(*phrases: str) -> re.Pattern[str]:
    """A pattern for any of `phrases`: Latin ones as whole words, others wherever they stand."""
    parts = [
        rf"(?<!\w)(?:{phrase})(?!\w)" if phrase.isascii() or _is_latin(phrase) else phrase
        for phrase in phrases
    ]
    return re.compile("|".join(parts))


def _is_latin(phrase: str) -> bool:
    return all(ord(character) < 0x0250 for character in phrase)


OPEN_NOW = words(
    # en
    r"(?:still |currently |now )open(?: for applications?| to apply)?",
    r"open (?:now|today|currently|right now|for applications?|at the moment)",
    r"is [\w' -]{2,60} open(?: yet)?",
    r"(?:now |currently |still )?accepting applications?",
    r"(?:can|could) i still (?:apply|get)",
    r"i can still (?:apply|get)",
    r"can (?:still )?(?:be )?appl(?:y|ied)(?: for)? (?:now|today|right now|at the moment)",
    r"apply (?:now|today|right now|at any time|anytime|immediately)",
    r"(?:rolling|ongoing) (?:basis|admissions?|applications?|deadline)",
    r"not (?:yet )?closed",
    # zh
    "现在(?:还)?(?:可以|能|可)申(?:请|請)",
    "現在(?:還)?(?:可以|能|可)申請",
    "目前(?:还|還)?(?:可以|能|可)?申[请請]",
    "(?:正在|仍在|还在|還在)(?:接受|开放|開放|招|受理)",
    "[开開]放(?:申[请請])?中",
    "(?:还|還)(?:可以|能|没截止|沒截止)(?:申[请請])?",
    "(?:尚未|还没|還沒|未)截止",
    "[随隨]时?時?(?:都)?(?:可以|可)?申[请請]",
    "受理中",
    # de
    r"(?:aktuell|derzeit|momentan|noch|jetzt) (?:offene?n?|ausgeschrieben(?:e|en)?|möglich|bewerben)",
    r"(?:kann|können) (?:ich|man|wir) (?:mich |sich )?(?:noch|jetzt|aktuell) [\w ]{0,40}bewerben",
    r"jederzeit",
    # es
    r"abiert[ao]s?(?: ahora| actualmente| en este momento)?",
    r"(?:vigentes?|convocatorias? vigentes?)",
    r"(?:todavía|aún) (?:puedo|se puede) (?:postular|solicitar|aplicar)(?:me)?",
    r"(?:postular|solicitar|aplicar) (?:ahora|ya|hoy)",
    # ko
    "지금 (?:신청|지원)",
    "현재 (?:신청|지원|모집|접수)",
    "(?:모집|접수|신청) ?중",
    "아직 (?:신청|지원)",
    "상시",
    # sv
    r"öpp(?:en|na|et) (?:nu|just nu|för ansökan)",
    r"söka (?:nu|just nu)",
)
"""The asker wants what takes applications at this moment."""

DEADLINE = words(
    r"deadlines?",
    r"last dates?",
    r"(?:last|final|closing) (?:day|date)",
    r"closing dates?",
    r"due date",
    r"due by",
    r"when (?:does|do|is|are|will|can) [\w' -]{2,80}(?:close|open|end|due|start|begin|apply)",
    r"when (?:should|can|do|to) (?:i |we )?apply",
    r"until when",
    r"how long is [\w' -]{2,60} open",
    r"appl(?:y|ication) (?:date|period|window)s?",
    r"kab (?:tak|hai)",
    "截止(?:日期|时间|時間|日)?",
    "什么时候(?:截止|申请|开放|开始|结束)",
    "什麼時候(?:截止|申請|開放|開始|結束)",
    "何时(?:截止|申请)",
    "何時(?:截止|申請)",
    "申[请請](?:时间|時間|期限|日期)",
    "(?:几|幾)月(?:申[请請]|截止)",
    "最[后後]期限",
    r"bewerbungs(?:frist|schluss|termin|zeitraum)(?:en|e)?",
    r"fristen?",
    r"einsendeschluss",
    r"bis wann",
    r"wann [\w ]{2,60}bewerben",
    r"fechas? (?:límite|limite|de cierre|de postulación)",
    r"cuándo (?:cierra|abre|empieza|termina|puedo|se)",
    r"plazos?(?: de (?:solicitud|inscripción|postulación))?",
    r"hasta cuándo",
    r"cierran?",
    r"vence",
    "마감(?:일|날짜|기한)?",
    "언제(?:까지)?",
    "신청 ?기간",
    "접수 ?기간",
    "모집 ?기간",
    r"sista (?:ansökningsdag|dag|datum)(?:en)?",
    r"deadline",
    r"när (?:stänger|öppnar)",
    r"ansökningstid(?:en)?",
)
"""The query speaks of the day on which applications close or open."""

PAST = words(
    r"(?:already|has|have|now) closed",
    r"did [\w' -]{2,60} (?:close|end)",
    r"(?:past|previous|former) (?:deadlines?|rounds?|calls?|cycles?|years?)",
    r"was the deadline",
    r"(?:did i miss|have i missed)",
    r"last year'?s?",
    "已(?:经|經)?(?:截止|过期|過期|结束|結束|关闭|關閉)",
    "(?:去年|往年)",
    "[过過]了(?:截止|期限)",
    r"(?:schon|bereits) (?:abgelaufen|geschlossen|vorbei|beendet)\w*",
    r"letztes jahr|im letzten jahr|vorjahr",
    r"(?:ya|están?) cerrad[ao]s?",
    r"ya (?:cerró|cerraron|venció)",
    r"(?:el )?año pasado",
    "(?:이미|벌써) (?:마감|종료|끝)",
    "마감됐|마감되었",
    "지난해|작년",
)
"""The asker speaks of what is over."""

SOON = words(
    r"(?:closing|closes|ending|ends|deadlines?(?: \w+)?) soon",
    r"(?:upcoming|approaching) deadlines?",
    r"last[- ]minute",
    "(?:即将|即將|快要|快)截止",
    r"(?:bald|demnächst) (?:ablauf|endend|schließ)\w*",
    r"por (?:cerrar|vencer)",
    r"próxim[ao]s? a cerrar",
    "마감 ?임박",
    "곧 마감",
)
"""What closes within weeks."""

BEFORE = r"(?:before|vor|antes (?:de|del)|före|innan)(?: the| dem| el| den)?"
"""The named time itself is no longer meant."""

BY = r"(?:by|until|till|no later than|bis(?: zum| zu)?|spätestens|hasta(?: el)?|a más tardar|senast|till)(?: the)?"
"""The named time is the last that is meant."""

IN = r"(?:in|during|im|en|für|i|for|around|this|diesen|este|nästa|next|for the)(?: the)?"

INTAKE = words(
    "intake",
    "entry",
    "admission",
    r"start (?:college|university|uni|school|my studies|studying)",
    "semester",
    "term",
    "session",
    "cohort",
    "enrol(?:l)?ment",
    "入学",
    "入學",
    "学期",
    "學期",
    "开学",
    "開學",
    "wintersemester",
    "sommersemester",
    "studienbeginn",
    "semestre",
    "ingreso",
    "입학",
    "학기",
)
"""The time named is when studies begin, which is months after the deadline."""
