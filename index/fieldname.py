"""Fields of study by ISCED-F 2013 code, named in short English words a searcher would use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

_NAMES = """
00 general programmes
001 basic programmes
0011 basic programmes
002 literacy
0021 literacy
003 personal development
0031 personal development
01 education
011 education
0111 education science
0112 early childhood education
0113 teacher training
0114 teacher training by subject
02 arts and humanities
021 arts
0211 film, media and graphic design
0212 fashion and design
0213 fine arts
0214 crafts
0215 music and performing arts
022 humanities
0221 theology and religion
0222 history and archaeology
0223 philosophy
023 languages
0231 language learning
0232 literature and linguistics
03 social sciences and journalism
031 social sciences
0311 economics
0312 political science
0313 psychology
0314 sociology and anthropology
032 journalism and information
0321 journalism and communication
0322 library and information science
04 business and law
041 business and management
0411 accounting
0412 finance and banking
0413 management
0414 marketing
0415 office work
0416 retail
0417 work skills
042 law
0421 law
05 natural sciences and mathematics
051 biological sciences
0511 biology
0512 biochemistry
052 environment
0521 environmental science
0522 wildlife and natural environments
053 physical sciences
0531 chemistry
0532 earth sciences
0533 physics
054 mathematics and statistics
0541 mathematics
0542 statistics
06 computing
061 computing
0611 computer use
0612 databases and networks
0613 computer science and software
07 engineering
071 engineering
0711 chemical engineering
0712 environmental engineering
0713 electrical engineering and energy
0714 electronics and automation
0715 mechanical engineering
0716 aerospace and automotive engineering
072 manufacturing
0721 food technology
0722 materials
0723 textiles
0724 mining
073 architecture and construction
0731 architecture and planning
0732 civil engineering
08 agriculture, forestry and veterinary
081 agriculture
0811 crops and livestock
0812 horticulture
082 forestry
0821 forestry
083 fisheries
0831 fisheries
084 veterinary medicine
0841 veterinary medicine
09 health and welfare
091 health
0911 dentistry
0912 medicine
0913 nursing and midwifery
0914 medical technology
0915 therapy and rehabilitation
0916 pharmacy
0917 traditional medicine
092 welfare
0921 care of the elderly and disabled
0922 child care and youth work
0923 social work
10 services
101 personal services
1011 domestic services
1012 hair and beauty
1013 hotels and hospitality
1014 sport
1015 travel and tourism
102 occupational health and hygiene
1021 sanitation
1022 occupational safety
103 security
1031 military
1032 police and protection
104 transport
1041 transport
"""


@lru_cache(maxsize=1)
def field_names() -> Mapping[str, str]:
    """The English name of every code."""
    return dict(line.split(" ", 1) for line in _NAMES.strip().splitlines())


def field_name(field: str) -> str:
    """The English name of a code; a field that is words already, or a code nobody knows, as it is."""
    return field_names().get(field, field)
