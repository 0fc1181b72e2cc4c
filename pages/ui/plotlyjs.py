"""Files that the browser fetches from this app: plotly.js as installed, and our own script."""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import tempfile
from importlib import metadata, resources
from pathlib import Path

STATIC = Path(__file__).resolve().parents[2] / "static"
ROUTE = "app/static"


def publish(name: str, content: bytes, folder: Path | None = None) -> str | None:
    """Put one file into the served folder unless it is there, and return its address.

    Parameters
    ----------
    name : str
        File name; it carries a version, so that a browser never keeps an old one.
    content : bytes
        The file's content [bytes].
    folder : Path, optional
        The folder that Streamlit serves, `STATIC` by default.

    Returns
    -------
    str or None
        Address relative to the app's root, None where the folder cannot be written.
    """
    folder = folder or STATIC
    target = folder / name
    try:
        if not target.exists() or target.stat().st_size != len(content):
            folder.mkdir(exist_ok=True)
            _write_atomically(target, content)
    except OSError as problem:
        logging.getLogger(__name__).warning("%s cannot be written: %s", target, problem)
        return None
    return f"{ROUTE}/{name}"


def _write_atomically(target: Path, content: bytes) -> None:
    """Write beside the target and rename, so that no browser ever gets half a file."""
    handle, scratch = tempfile.mkstemp(dir=target.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.chmod(scratch, 0o644)
        os.replace(scratch, target)
    except OSError:
        Path(scratch).unlink(missing_ok=True)
        raise


@functools.cache
def plotly_url() -> str | None:
    """Address of plotly.min.js, copied from the installed plotly package on first use.

    Returns
    -------
    str or None
        Address relative to the app's root, None where the folder cannot be written.
    """
    script = resources.files("plotly").joinpath("package_data", "plotly.min.js")
    return publish(f"plotly-{metadata.version('plotly')}.min.js", script.read_bytes())


def publish_script(stem: str, source: str) -> str | None:
    """Publish our own script under a name that changes with its content.

    Parameters
    ----------
    stem : str
        First part of the file's name.
    source : str
        The script.

    Returns
    -------
    str or None
        Address relative to the app's root, None where the folder cannot be written.
    """
    content = source.encode()
    return publish(f"{stem}-{hashlib.sha256(content).hexdigest()[:10]}.js", content)
