"""Who forgot a password is brought a link where mail is set up."""

import re
from dataclasses import replace
from pathlib import Path

from tests.api.conftest import World
from tests.driver.device import browser
from tests.members.conftest import join
from tests.notifications.post_office import open_post_office

from roundsman.app import KINDS, make_application
from roundsman.notifications.email import Mail, MailServer
from roundsman.operations.job_runs import claim_jobs, run_job
from roundsman.settings import Settings
from roundsman.storage.leases import LEASE

STORED = "Tess@business.example"


def test_a_link_comes_by_e_mail_to_a_members_stored_address_and_to_nobody_else(
    world: World, tmp_path: Path
) -> None:
    join(world, STORED)
    with open_post_office() as office:
        server = MailServer.parse(f"smtp://127.0.0.1:{office.port}")
        mail = Mail(server=server, sender="post@example.com", certificates=None)  # type: ignore[arg-type]  # not asked on this machine
        tools = replace(world.tools, mail=mail)
        application = make_application(Settings(data=tmp_path), tools)
        http = browser(application)
        for email in (STORED.upper(), STORED.replace("s", "\u017f"), "nobody@example.com"):
            asked = http.post("/members/api/password-resets", json={"email": email})
            assert asked.status_code == 200, asked.text
        tools.failures.wait()
        for job in claim_jobs(tools, "worker", LEASE, room=4, reserved=0):
            run_job(tools, KINDS, job)
        (letter,) = office.letters
        assert letter["To"] == STORED
        text = letter.get_body(("plain",))
        assert text is not None
        found = re.search(r"/members/reset/(\S+)", text.get_content())
        assert found is not None
        path = f"/members/api/password-resets/{found[1]}"
        assert http.post(path, json={"password": "a quite long passphrase"}).status_code == 200
        application.close()
