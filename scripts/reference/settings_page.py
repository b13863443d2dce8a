"""The settings, from the fields of `Settings`; the README shows the same table."""

from dataclasses import fields

from scripts.reference.markdown import code, page, table

from roundsman.settings import CONFIG, PREFIX, Settings, variable_of

_INTRO = f"""
For the operator. A setting is an environment variable, or a key in the TOML file that
`{CONFIG}` names: the same name in lower case without `{PREFIX}`. The environment wins over the file.
An option of a command, such as `--data`, wins over both. A wrong value, and a key that is no
setting, stop the start with one line that names it.

```toml
data = "/var/lib/roundsman"
base_url = "https://plan.example.com"
trusted_proxies = "10.0.0.5/32"
```
"""
_OTHERS = """
## Read from the environment by libraries

| Variable | Meaning |
|---|---|
| `XDG_CACHE_HOME` | folder of caches that can be made again: compiled kernels, the gazetteer's index of `roundsman plan` |
| `NUMBA_CACHE_DIR` | another folder for the compiled kernels alone |
| `PGPASSWORD`, `PGPASSFILE`, `PGSSLMODE`, … | what libpq reads for a PostgreSQL address that does not say it |
"""


def settings_table() -> str:
    """Return every setting with its default and its sentence."""
    rows = [
        (
            code(variable_of(setting.name)),
            code(setting.metadata["default"]),
            setting.metadata["sentence"],
        )
        for setting in fields(Settings)
    ]
    return table(["Setting", "Default", "Meaning"], rows)


def settings_page() -> str:
    """Return the page."""
    return page("Settings", _INTRO, settings_table(), _OTHERS)
