from scripts.spec_coverage import TARGET, rendered


def test_the_page_of_sections_and_tests_is_current() -> None:
    assert TARGET.read_text(encoding="utf-8") == rendered(), "run make coverage-page"
