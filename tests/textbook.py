"""The worked examples of Tan, Steinbach & Kumar (chapter 5) and Mitchell (chapter 6), with their numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pandas as pd


def _frame(columns: list[str], rows: list[list[Any]]) -> tuple[pd.DataFrame, pd.Categorical]:
    table = pd.DataFrame(rows, columns=columns)
    X = pd.DataFrame(
        {
            name: column if pd.api.types.is_numeric_dtype(column) else pd.Categorical(column, sorted(set(column)))
            for name, column in table.iloc[:, :-1].items()
        }
    )
    return X, pd.Categorical(table.iloc[:, -1], sorted(set(table.iloc[:, -1])))


LOAN_COLUMNS = ["home_owner", "marital_status", "annual_income_k", "defaulted"]
LOAN_ROWS: list[list[Any]] = [
    ["Yes", "Single", 125, "No"],
    ["No", "Married", 100, "No"],
    ["No", "Single", 70, "No"],
    ["Yes", "Married", 120, "No"],
    ["No", "Divorced", 95, "Yes"],
    ["No", "Married", 60, "No"],
    ["Yes", "Divorced", 220, "No"],
    ["No", "Single", 85, "Yes"],
    ["No", "Married", 75, "No"],
    ["No", "Single", 90, "Yes"],
]
LOAN_RECORD = {"home_owner": "No", "marital_status": "Married", "annual_income_k": 120}
LOAN_CONDITIONALS = {
    "home_owner": {
        "Yes|No": Fraction(3, 7),
        "No|No": Fraction(4, 7),
        "Yes|Yes": Fraction(0, 3),
        "No|Yes": Fraction(3, 3),
    },
    "marital_status": {
        "Single|No": Fraction(2, 7),
        "Divorced|No": Fraction(1, 7),
        "Married|No": Fraction(4, 7),
        "Single|Yes": Fraction(2, 3),
        "Divorced|Yes": Fraction(1, 3),
        "Married|Yes": Fraction(0, 3),
    },
}
LOAN_PRIORS = {"No": 0.7, "Yes": 0.3}
LOAN_INCOME = {"No": (110, 2975), "Yes": (90, 25)}  # mean, sample variance
LOAN_DENSITY = {"No": 0.007192295359419549, "Yes": 1.2151765699646572e-09}  # of an income of 120
LOAN_FREQUENCY = {
    "p_x": {"No": 0.0023485046071574037, "Yes": 0.0},
    "joint": {"No": 0.0016439532250101827, "Yes": 0.0},
}
LOAN_M = 3
LOAN_M_PRIOR = {"Yes": 1 / 3, "No": 2 / 3}
LOAN_M_CONDITIONALS = {
    "Married|Yes": Fraction(1, 6),
    "No|Yes": Fraction(4, 6),
    "No|No": Fraction(6, 10),
    "Married|No": Fraction(6, 10),
}
LOAN_M_ESTIMATE = {
    "p_x": {"No": 0.0025892263293910375, "Yes": 1.350196188849619e-10},
    "joint": {"No": 0.0018124584305737265, "Yes": 4.0505885665488575e-11},
}

TENNIS_COLUMNS = ["outlook", "temperature", "humidity", "wind", "play"]
TENNIS_ROWS = [
    ["sunny", "hot", "high", "weak", "no"],
    ["sunny", "hot", "high", "strong", "no"],
    ["overcast", "hot", "high", "weak", "yes"],
    ["rain", "mild", "high", "weak", "yes"],
    ["rain", "cool", "normal", "weak", "yes"],
    ["rain", "cool", "normal", "strong", "no"],
    ["overcast", "cool", "normal", "strong", "yes"],
    ["sunny", "mild", "high", "weak", "no"],
    ["sunny", "cool", "normal", "weak", "yes"],
    ["rain", "mild", "normal", "weak", "yes"],
    ["sunny", "mild", "normal", "strong", "yes"],
    ["overcast", "mild", "high", "strong", "yes"],
    ["overcast", "hot", "normal", "weak", "yes"],
    ["rain", "mild", "high", "strong", "no"],
]
TENNIS_RECORD = {"outlook": "sunny", "temperature": "cool", "humidity": "high", "wind": "strong"}
TENNIS_STRONG = {"yes": Fraction(3, 9), "no": Fraction(3, 5)}
TENNIS_JOINT = {"yes": 0.005291005291005291, "no": 0.020571428571428574}
TENNIS_POSTERIOR_NO = 0.795417348608838

CORRELATED = {"0|0": 0.4, "1|0": 0.6, "0|1": 0.6, "1|1": 0.4}  # P(A given Y), and of B alike
CORRELATED_NAIVE = (0.16, 0.36)  # P(A=0 given Y) P(B=0 given Y) of Y = 0, 1
CORRELATED_TRUE = (0.40, 0.36)  # P(A=0, B=0 given Y)
CORRELATED_NAIVE_Y0, CORRELATED_TRUE_Y0 = 0.3076923076923077, 0.5263157894736842

CROCODILES = {"alligator": (12, 2), "crocodile": (15, 2)}  # mean and standard deviation in feet
CROCODILE_BOUNDARY = 13.5


def loan() -> tuple[pd.DataFrame, pd.Categorical]:
    return _frame(LOAN_COLUMNS, LOAN_ROWS)


def tennis() -> tuple[pd.DataFrame, pd.Categorical]:
    return _frame(TENNIS_COLUMNS, TENNIS_ROWS)


def record(values: dict[str, Any], X: pd.DataFrame) -> pd.DataFrame:
    """One row in the categories of X."""
    return pd.DataFrame({name: [values[name]] for name in X}).astype(X.dtypes.to_dict())


def correlated() -> tuple[pd.DataFrame, pd.Categorical]:
    """25 rows a class: B equals A where Y = 0, is independent of A where Y = 1."""
    cells = [(0, 0, 0)] * 10 + [(1, 1, 0)] * 15
    cells += [(0, 0, 1)] * 9 + [(0, 1, 1)] * 6 + [(1, 0, 1)] * 6 + [(1, 1, 1)] * 4
    table = pd.DataFrame(cells, columns=["A", "B", "Y"])
    return table[["A", "B"]].astype("category"), pd.Categorical(table["Y"])
