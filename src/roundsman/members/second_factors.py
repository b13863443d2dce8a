"""What proves a member beside the password: setting it up, and signing in by a passkey."""

from urllib.parse import urlsplit

from roundsman.domain.second_factor import Passkey, SecondFactors
from roundsman.endpoints.access import HttpRequest, MemberAccess
from roundsman.endpoints.operation import Operations
from roundsman.members.sessions import SIGNED_IN, STRANGER, SignedInBrowser
from roundsman.operations import passkeys, second_factor_settings
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.members.second_factors import (
    CodeBody,
    NewPasskeyBody,
    NewTotpAnswer,
    PasskeyOptionsAnswer,
    PasskeySignInBody,
    PasswordBody,
    RecoveryCodesAnswer,
)

OPERATIONS = Operations("Second factors", MemberAccess())


def _origin_of(tools: Tools, http: HttpRequest) -> str:
    """Return where the browser says that the page is, if it is ours; else where it asked.

    A passkey signs what the browser knows of where it is, so a lie here helps nobody.
    """
    scheme = "https" if http.is_https else "http"
    asked = f"{scheme}://{http.headers.get('host', '')}"
    public = urlsplit(tools.address.url)
    ours = {asked, f"{public.scheme}://{public.netloc}"}
    said = http.headers.get("origin", "")
    return said if said in ours else asked


@OPERATIONS.add("GET", "/second-factors", summary="See what proves the member beside the password")
def show_second_factors(tools: Tools, request: Request) -> SecondFactors:
    """See whether codes are wanted, how many recovery codes are left, and which passkeys there
    are.
    """
    return second_factor_settings.show_second_factors(tools, request.principal)


@OPERATIONS.add(
    "POST",
    "/second-factors/totp",
    summary="Begin with an app that shows codes; nothing is wanted of it before it has shown one",
    keeps_answers=False,
)
def begin_totp(tools: Tools, request: Request, body: PasswordBody) -> NewTotpAnswer:
    """Get a secret for an app that shows codes. Nothing is wanted before the app has shown one; the
    password is asked for again.
    """
    made = second_factor_settings.begin_totp(tools, request, body.password, body.code)
    return NewTotpAnswer(secret=made.secret, uri=made.uri)


@OPERATIONS.add(
    "POST",
    "/second-factors/totp/confirm",
    summary="Want codes of the app from now on; answers recovery codes, this once",
    keeps_answers=False,
)
def confirm_totp(tools: Tools, request: Request, body: CodeBody) -> RecoveryCodesAnswer:
    """Show that the app works; from then on signing in takes a code. Answers ten recovery codes,
    this once.
    """
    codes = second_factor_settings.want_totp_codes(tools, request, body.code)
    return RecoveryCodesAnswer(recovery_codes=tuple(codes))


@OPERATIONS.add(
    "POST",
    "/second-factors/totp/remove",
    summary="Want no codes any more",
    keeps_answers=False,
)
def remove_totp(tools: Tools, request: Request, body: PasswordBody) -> None:
    """Want no codes any more, and forget recovery codes. Password and code are asked for again."""
    second_factor_settings.want_no_totp_codes(tools, request, body.password, body.code)


@OPERATIONS.add(
    "POST",
    "/second-factors/recovery-codes",
    summary="Make recovery codes anew; those before work no more",
    keeps_answers=False,
)
def renew_recovery_codes(tools: Tools, request: Request, body: PasswordBody) -> RecoveryCodesAnswer:
    """Make ten recovery codes in place of those before. Password and code are asked for again."""
    codes = second_factor_settings.renew_recovery_codes(tools, request, body.password, body.code)
    return RecoveryCodesAnswer(recovery_codes=tuple(codes))


@OPERATIONS.add(
    "POST",
    "/second-factors/passkey-options",
    summary="Begin to make a passkey",
    keeps_answers=False,
)
def begin_passkey(
    tools: Tools, request: Request, http: HttpRequest, body: PasswordBody
) -> PasskeyOptionsAnswer:
    """Get what the browser makes a passkey of, for `navigator.credentials.create`. The password is
    asked for again, and the code where signing in takes one.
    """
    origin = _origin_of(tools, http)
    proof = (body.password, body.code)
    options = second_factor_settings.begin_passkey(tools, request, origin, *proof)
    return PasskeyOptionsAnswer(options=options)


@OPERATIONS.add(
    "POST",
    "/second-factors/passkeys",
    summary="Keep a passkey that the browser has made",
    keeps_answers=False,
)
def add_passkey(tools: Tools, request: Request, http: HttpRequest, body: NewPasskeyBody) -> Passkey:
    """Keep the passkey that the browser has made. One that proves nothing is refused."""
    origin = _origin_of(tools, http)
    return second_factor_settings.keep_passkey(tools, request, origin, body.name, body.credential)


@OPERATIONS.add(
    "POST",
    "/second-factors/passkeys/{passkeyId}/remove",
    summary="Let a passkey work no more",
    keeps_answers=False,
)
def remove_passkey(tools: Tools, request: Request, passkey_id: str, body: PasswordBody) -> None:
    """Let a passkey sign nobody in any more. The password is asked for again, and the code where
    signing in takes one.
    """
    second_factor_settings.end_passkey(tools, request, passkey_id, body.password, body.code)


@OPERATIONS.add(
    "POST",
    "/passkey-options",
    summary="Begin to sign in by a passkey",
    access=STRANGER,
)
def begin_passkey_sign_in(tools: Tools, http: HttpRequest) -> PasskeyOptionsAnswer:
    """Get what the browser signs with a passkey, for `navigator.credentials.get`; it lasts five
    minutes.
    """
    return PasskeyOptionsAnswer(
        options=passkeys.begin_passkey_sign_in(tools, _origin_of(tools, http))
    )


@OPERATIONS.add(
    "POST",
    "/session/passkey",
    summary="Sign in by a passkey, which stands for password and code",
    access=STRANGER,
    answer=SIGNED_IN,
)
def sign_in_by_passkey(
    tools: Tools, request: Request, http: HttpRequest, body: PasskeySignInBody
) -> SignedInBrowser:
    """Open a session by a passkey, which stands for password and code. An answer counts once."""
    origin = _origin_of(tools, http)
    signed_in = passkeys.sign_in_by_passkey(
        tools, request, origin, body.credential, body.organization
    )
    return SignedInBrowser(signed_in, http)
