"""Every file that is made from the code, by its path in the repository."""

from collections.abc import Callable
from pathlib import Path

from scripts.reference.asvs_page import asvs_page
from scripts.reference.commands_page import commands_page
from scripts.reference.errors_page import errors_page
from scripts.reference.events_page import events_page
from scripts.reference.glossary_page import glossary_page
from scripts.reference.limits_page import limits_page
from scripts.reference.metrics_page import metrics_page
from scripts.reference.operations_page import operations_page
from scripts.reference.protection_page import protection_page
from scripts.reference.settings_page import settings_page

ROOT = Path(__file__).parents[2]


PAGES: dict[str, Callable[[], str]] = {
    "docs/glossary.md": glossary_page,
    "docs/reference/asvs.md": asvs_page,
    "docs/reference/command-line.md": commands_page,
    "docs/reference/errors.md": errors_page,
    "docs/reference/events.md": events_page,
    "docs/reference/limits.md": limits_page,
    "docs/reference/metrics.md": metrics_page,
    "docs/reference/operations.md": operations_page,
    "docs/reference/protection.md": protection_page,
    "docs/reference/settings.md": settings_page,
}
"""What writes each file as it is when it is current."""
