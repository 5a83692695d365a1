"""`python -m lazybayes`: the same as the command `lazybayes`."""

from __future__ import annotations

from lazybayes.cli.main import main

if __name__ == "__main__":
    main(prog_name="lazybayes")
