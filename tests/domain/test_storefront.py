import pytest

from roundsman.domain.storefront import with_remedy


@pytest.mark.parametrize(
    ("message", "remedy", "said"),
    [
        ("Unauthorized", "Check the credentials.", "Unauthorized. Check the credentials."),
        ("It is closed.", "Open it.", "It is closed. Open it."),
        ("Who are you? ", "Sign in.", "Who are you? Sign in."),
        ("the shop is away", "", "the shop is away"),
        ("", "Wait.", "Wait."),
    ],
)
def test_what_a_shop_says_and_what_helps_are_two_sentences(
    message: str, remedy: str, said: str
) -> None:
    assert with_remedy(message, remedy) == said
