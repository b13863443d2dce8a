from roundsman.kit.passwords import NOBODYS_HASH, hash_password, is_password, needs_rehash

LEAST = "$argon2id$v=19$m=19456,t=2,p=1$"
"""What OWASP's cheat sheet on storing passwords asks for at least."""


def test_passwords_are_hashed_with_argon2id_and_its_parameters() -> None:
    stored = hash_password("correct horse battery")
    assert stored.startswith(LEAST)
    assert stored != hash_password("correct horse battery"), "salted"
    assert is_password("correct horse battery", stored)
    assert not is_password("Correct horse battery", stored)
    assert not needs_rehash(stored)
    weaker = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$XTvYQJUbbEhVyoXCyyhFGQ"
    assert needs_rehash(weaker)


def test_nobodys_hash_costs_what_a_real_one_does() -> None:
    assert NOBODYS_HASH.startswith(LEAST)
    assert not is_password("", NOBODYS_HASH)
    assert not is_password("anything", "no hash")
