"""The frequency-count engine: contingency tables, estimates, leave-one-out."""
