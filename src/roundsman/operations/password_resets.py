"""Bringing who forgot a password a link by e-mail: a job, so that no outage loses it."""

from roundsman.domain.errors import NotFound
from roundsman.domain.model import Model
from roundsman.domain.principal import Principal
from roundsman.kit.ids import new_id
from roundsman.notifications.email import Letter, send_letter
from roundsman.notifications.texts import write_password_reset
from roundsman.operations.jobs import JobKind, RunningJob, enqueue_job
from roundsman.operations.member_sign_in import make_reset_link
from roundsman.operations.organizations import get_organization
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work


class PasswordResetJob(Model):
    """Who is to be sent a link."""

    email: str


class LetterNotSent(Exception):
    """The mail server took no letter; the job is tried again."""


def enqueue_reset_letter(tools: Tools, email: str, principal: Principal) -> None:
    """Have a link sent to a member soon."""
    with begin_work(tools, Request(principal=principal)) as work:
        enqueue_job(work, PASSWORD_RESETS, PasswordResetJob(email=email))
        work.done(None)


def send_reset_letter(tools: Tools, job: RunningJob[PasswordResetJob]) -> None:
    """Send a link to choose a new password with; an attempt that is repeated sends another."""
    if tools.mail is not None:
        organization = get_organization(tools.database, job.job.organization_id)
        try:
            link = make_reset_link(tools, job.payload.email)
        except NotFound:
            link = ""  # deactivated since
        if link:
            text = write_password_reset(organization.language, organization.name, link)
            letter = Letter(
                id=new_id(tools.ids, "msg"),
                to=job.payload.email,
                subject=text.subject or "",
                text=text.text,
                headers={},
            )
            handed = send_letter(tools.mail, letter, tools.clock.now())
            if handed.error and not handed.is_final:
                raise LetterNotSent(handed.error)
    with begin_work(tools, job.completing()) as work:
        work.done(None)


PASSWORD_RESETS = JobKind(name="password-reset", payload=PasswordResetJob, run=send_reset_letter)
