"""Which records speak of one programme: names, givers, addresses and sums of two records weighed against each other.

    document → sketch → keys → candidate pairs → comparison → score and reason → clusters

Every step is a pure function of the records, so a record linked when it comes in and a store linked anew agree.
"""
