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
trusted_proxies = ["10.0.0.5/32"]
```

The file is UTF-8, with or without a byte order mark. In it a text is in quotes, numbers, `true` and `false` are not, and subnets
are a list; each may also be written as the environment has it. A setting that cannot be used ends a command with 2, also a key
file or an option of the database's address; what another attempt could mend, such as a database that is not there yet, ends it with 1.
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
