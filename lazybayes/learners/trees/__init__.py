"""Tree learners: one growth, and what each learner puts at its nodes."""
