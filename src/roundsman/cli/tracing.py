"""Whether to trace, as OpenTelemetry's own variables say; its SDK is not loaded otherwise."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from urllib.parse import urlsplit

from roundsman.kit.loading import load
from roundsman.settings import WrongSetting

_EXPORTER = "OTEL_TRACES_EXPORTER"
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_EXPORT = "roundsman.kit.otlp:export_spans"


@contextmanager
def traced(environment: Mapping[str, str]) -> Iterator[None]:
    """Record spans while the block runs, where the environment asks for it."""
    export = find_export(environment)
    if export is None:
        yield
        return
    try:
        exporting = export()
    except ValueError as error:
        raise WrongSetting(f"a variable that begins with OTEL_ is wrong: {error}") from error
    with exporting:
        yield


def find_export(
    environment: Mapping[str, str],
) -> Callable[[], AbstractContextManager[None]] | None:
    """Return what sends spans where that is asked for; refuse what could not be sent."""
    wish = _find_wish(environment)
    if wish is None:
        return None
    try:
        export: Callable[[], AbstractContextManager[None]] = load(_EXPORT)
    except ModuleNotFoundError as error:
        raise WrongSetting(
            f"{wish} asks for traces, but OpenTelemetry's SDK is not installed: install"
            " roundsman[otel], or set OTEL_SDK_DISABLED=true"
        ) from error
    return export


def _find_wish(environment: Mapping[str, str]) -> str | None:
    """Return the name of the variable that asks for traces, or None."""
    exporter = _read(environment, _EXPORTER)
    if exporter == "none" or _read(environment, "OTEL_SDK_DISABLED").lower() == "true":
        return None
    endpoints = [name for name in _ENDPOINTS if _read(environment, name)]
    if not exporter and not endpoints:
        return None
    if exporter not in {"", "otlp"}:
        raise WrongSetting(f'{_EXPORTER} is "{exporter}" but must be otlp or none')
    for name in endpoints:
        _require_address(name, _read(environment, name))
    for name in _PROTOCOLS:
        protocol = _read(environment, name)
        if protocol not in {"", "http/protobuf"}:
            raise WrongSetting(f'{name} is "{protocol}" but must be http/protobuf')
    return _EXPORTER if exporter else endpoints[0]


def _require_address(name: str, text: str) -> None:
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        # Not repeated: collectors are known whose addresses hold a key.
        raise WrongSetting(f"{name} must be an http:// or https:// address")


def _read(environment: Mapping[str, str], name: str) -> str:
    return environment.get(name, "").strip()
