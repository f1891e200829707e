"""Adjectives of countries, as rules about citizenship use them: English, Spanish, German, Swedish."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

_ADJECTIVES = """
AR argentine argentinian argentina argentinisch
AT austrian österreichisch
AU australian australiana australisch
BD bangladeshi
BE belgian belgisch
BO bolivian boliviana
BR brazilian brasileña brasileira brasilianisch
CA canadian canadiense kanadisch
CH swiss schweizerisch suiza
CL chilean chilena chilenisch
CN chinese china chinesisch
CO colombian colombiana kolumbianisch
CR costarricense
CZ czech tschechisch
DE german alemana deutsch
DK danish dänisch dansk
EC ecuadorian ecuatoriana
EG egyptian ägyptisch
ES spanish española spanisch
ET ethiopian
FI finnish finnisch finsk
FR french francesa französisch
GB british británica britisch
GH ghanaian
GR greek griechisch
GT guatemalteca
HN hondureña
HU hungarian húngara ungarisch
ID indonesian indonesisch
IE irish irisch
IL israeli israelisch
IN indian india indisch
IQ iraqi
IR iranian iranisch
IS icelandic isländsk
IT italian italiana italienisch
JP japanese japonesa japanisch
KE kenyan
KR korean coreana koreanisch
LK lankan
MX mexican mexicana mexikanisch
MY malaysian malaysisch
NG nigerian
NI nicaragüense
NL dutch holandesa niederländisch
NO norwegian norwegisch norsk
NP nepalese nepali
NZ kiwi neuseeländisch
PA panameña
PE peruvian peruana peruanisch
PH filipino filipina philippine
PK pakistani pakistanisch
PL polish polaca polnisch
PT portuguese portuguesa portugiesisch
PY paraguaya
RO romanian rumana rumänisch
RU russian rusa russisch
SE swedish sueca schwedisch svensk svenska
SG singaporean
SV salvadoreña
TH thai thailändisch
TN tunisian
TR turkish turca türkisch
TW taiwanese
TZ tanzanian
UA ukrainian ukrainisch
UG ugandan
US american us u.s. usa estadounidense amerikanisch
UY uruguaya
VE venezolana
VN vietnamese vietnamesisch
ZA african
ZM zambian
ZW zimbabwean
"""
_OF_TWO_WORDS = {
    "south african": "ZA",
    "sri lankan": "LK",
    "new zealand": "NZ",
    "south korean": "KR",
    "united states": "US",
    "hong kong": "HK",
}
# As single words these name something else: "African" a continent, "kiwi" a bird, "us" a pronoun.
_NOT_ALONE = frozenset({"african", "lankan", "kiwi", "us", "india", "china", "argentina"})


@lru_cache(maxsize=1)
def adjectives() -> Mapping[str, str]:
    """Adjective in small letters → country code."""
    found = dict(_OF_TWO_WORDS)
    for line in _ADJECTIVES.strip().splitlines():
        code, *words = line.split()
        for word in words:
            if word not in _NOT_ALONE:
                found[word] = code
    return MappingProxyType(found)


@lru_cache(maxsize=1)
def after_nationality() -> Mapping[str, str]:
    """The Spanish adjectives that also are names of countries: "nacionalidad china"."""
    return MappingProxyType({"china": "CN", "india": "IN", "argentina": "AR"})
