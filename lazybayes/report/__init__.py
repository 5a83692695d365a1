"""Tables of results in text, Markdown, LaTeX, CSV and HTML."""
