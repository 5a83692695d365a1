"""The small tables of textbook examples, as generators."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lazybayes.data.table import Attribute, Column, RawTable

LOAN = """
Yes,Single,125,No    No,Married,100,No   No,Single,70,No     Yes,Married,120,No   No,Divorced,95,Yes
No,Married,60,No     Yes,Divorced,220,No No,Single,85,Yes    No,Married,75,No     No,Single,90,Yes
"""
PLAY_TENNIS = """
sunny,hot,high,weak,no          sunny,hot,high,strong,no     overcast,hot,high,weak,yes      rain,mild,high,weak,yes
rain,cool,normal,weak,yes       rain,cool,normal,strong,no   overcast,cool,normal,strong,yes sunny,mild,high,weak,no
sunny,cool,normal,weak,yes      rain,mild,normal,weak,yes    sunny,mild,normal,strong,yes
overcast,mild,high,strong,yes   overcast,hot,normal,weak,yes rain,mild,high,strong,no
"""
# A, B, Y and how many of 50 rows: P(A = 0) is 0.4 where Y = 0 and 0.6 where Y = 1.
CORRELATED = ((0, 0, 0, 10), (1, 1, 0, 15), (0, 0, 1, 9), (0, 1, 1, 6), (1, 0, 1, 6), (1, 1, 1, 4))


def loan() -> RawTable:
    """Ten borrowers, of whom three defaulted (Tan, Steinbach & Kumar, figure 5.9)."""
    return _table(("home_owner", "marital_status", "annual_income_k", "defaulted"), _rows(LOAN), ("annual_income_k",))


def play_tennis() -> RawTable:
    """Fourteen days, on nine of which tennis was played (Mitchell, table 3.2; Quinlan's weather data)."""
    return _table(("outlook", "temperature", "humidity", "wind", "play"), _rows(PLAY_TENNIS))


def correlated_attributes() -> RawTable:
    """50 rows in which B equals A where Y = 0, and is independent of it where Y = 1 (Tan, Steinbach & Kumar 5.3.3)."""
    rows = [[str(a), str(b), str(y)] for a, b, y, count in CORRELATED for _ in range(count)]
    return _table(("A", "B", "Y"), rows)


def _rows(text: str) -> list[list[str]]:
    return [row.split(",") for row in text.split()]


def _table(names: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[str] = ()) -> RawTable:
    """The rows under these names; the declared values of a nominal attribute are its own in text order."""
    attributes: list[Attribute] = []
    columns: list[Column] = []
    for name, cells in zip(names, zip(*rows, strict=True), strict=True):
        if name in numeric:
            attributes.append(Attribute(name, "numeric"))
            columns.append(np.array(cells, dtype=np.float64))
        else:
            values = tuple(sorted(set(cells)))
            attributes.append(Attribute(name, "nominal", values))
            columns.append(np.array([values.index(cell) for cell in cells], dtype=np.int32))
    return RawTable(tuple(attributes), tuple(columns), len(rows))
