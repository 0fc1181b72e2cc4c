"""Say in one sentence why the app cannot listen on HOST PORT, with a port that it can use."""

import errno
import socket
import sys

FIRST, LAST = 1, 65535


def is_free(host: str, port: int) -> bool:
    """Return whether nothing answers on the port and a server may listen there."""
    for family, kind, protocol, _, address in socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM
    ):
        try:
            with socket.socket(family, kind, protocol) as listener:
                # As servers do, so that a port just left is not called busy.
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.bind(address)
                listener.listen()
        except OSError as error:
            if not is_missing_family(error, family):
                return False
    return not answers(host, port)


def is_missing_family(error: OSError, family: int) -> bool:
    """Return whether the machine simply has no IPv6, which makes no port busy."""
    return family == socket.AF_INET6 and error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


def answers(host: str, port: int) -> bool:
    """Return whether a server answers; macOS lets two bind where one holds every address."""
    try:
        with socket.create_connection((host, port), timeout=0.5):
            return True
    except OSError:
        return False


def complaint(host: str, port_text: str) -> str:
    """Return the sentence to show, empty where the app can start."""
    if not port_text.isdecimal() or not FIRST <= int(port_text) <= LAST:
        return f"PORT is {port_text!r}, not a number from {FIRST} to {LAST}: try PORT=8501."
    port = int(port_text)
    try:
        if is_free(host, port):
            return ""
    except (socket.gaierror, UnicodeError):
        return f"HOST is {host!r}, which is no address of this machine: try HOST=localhost."
    others = (p for p in (*range(port + 1, port + 100), 8501, 18501) if p <= LAST)
    other = next((p for p in others if is_free(host, p)), 8501)
    return (
        f"Port {port} on {host} is taken or not allowed: stop what uses it, "
        f"or run: make run PORT={other}"
    )


if __name__ == "__main__":
    sys.exit(complaint(*sys.argv[1:3]) or 0)
