"""The pages on which a password is chosen or given."""

import re
from pathlib import Path

import pytest
from tests.api.conftest import World
from tests.members.conftest import browser, invite, join, token_of

from roundsman.domain.password import LONGEST_PASSWORD
from roundsman.operations.password_resets import make_reset_link

pytestmark = pytest.mark.spec("decisions §13")
WEB = Path(__file__).parents[2] / "web"


def password_fields(page: str) -> list[str]:
    return re.findall(r"<input[^>]*name=\"password\"[^>]*>", page)


def test_password_fields_are_masked_and_may_be_pasted_into_and_filled_in(world: World) -> None:
    invited = browser(world).get(f"/members/invite/{token_of(invite(world).url)}").text
    join(world, "bob@example.com")
    reset = token_of(make_reset_link(world.tools, "bob@example.com"))
    chosen = browser(world).get(f"/members/reset/{reset}").text
    console = (WEB / "console" / "sign_in.tsx").read_text(encoding="utf-8")
    for page, filled in (
        (invited, "new-password"),
        (chosen, "new-password"),
        (console, "current-password"),
    ):
        (field,) = password_fields(page)
        assert 'type="password"' in field
        assert f'autocomplete="{filled}"' in field
        bound = re.search(r"maxlength=\"(\d+)\"", field)
        assert bound is None or int(bound[1]) == LONGEST_PASSWORD
    sources = [path for path in WEB.rglob("*.ts*") if "node_modules" not in path.parts]
    assert len(sources) > 50
    for path in sources:
        assert "onPaste" not in path.read_text(encoding="utf-8"), path
