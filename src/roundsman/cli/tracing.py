"""Whether to trace, as OpenTelemetry's own variables say; nothing of it is loaded otherwise."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import urlsplit

from roundsman.kit.loading import load
from roundsman.kit.tracing import Tracer, tracing_to
from roundsman.settings import WrongSetting

_EXPORTER = "OTEL_TRACES_EXPORTER"
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_TRACER = "roundsman.kit.otlp:make_exporting_tracer"


@contextmanager
def traced(environment: Mapping[str, str]) -> Iterator[None]:
    """Record spans while the block runs, where the environment asks for it."""
    make_tracer = find_tracer(environment)
    if make_tracer is None:
        yield
        return
    try:
        tracer = make_tracer()
    except ValueError as error:
        raise WrongSetting(f"a variable that begins with OTEL_ is wrong: {error}") from error
    with tracing_to(tracer):
        yield


def find_tracer(environment: Mapping[str, str]) -> Callable[[], Tracer] | None:
    """Return what makes the tracer that is asked for; refuse what could not be sent."""
    wish = _find_wish(environment)
    if wish is None:
        return None
    try:
        make_tracer: Callable[[], Tracer] = load(_TRACER)
    except ModuleNotFoundError as error:
        raise WrongSetting(
            f"{wish} asks for traces, but OpenTelemetry is not installed: install roundsman[otel],"
            " or set OTEL_SDK_DISABLED=true"
        ) from error
    return make_tracer


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
