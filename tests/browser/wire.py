"""A wire between the browser and the server that a test can cut."""

import socket
from contextlib import suppress
from threading import Thread


class Wire:
    """Listens on a port of its own and hands everything on to the server's port, unless it is cut."""

    def __init__(self, to: int):
        self._to, self._whole, self._ends = to, True, []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        Thread(target=self._let_in, daemon=True).start()

    def cut(self) -> None:
        """Every connection breaks, and no other one is made."""
        self._whole = False
        for end in self._ends:
            _shut(end)

    def mend(self) -> None:
        self._whole = True

    def close(self) -> None:
        self.cut()
        self._door.close()

    def _let_in(self) -> None:
        with suppress(OSError):
            while True:
                self._join(self._door.accept()[0])

    def _join(self, near: socket.socket) -> None:
        """To the server, if the wire is whole and the server there."""
        try:
            far = socket.create_connection(("127.0.0.1", self._to)) if self._whole else None
        except OSError:
            far = None
        if far is None:
            near.close()
            return
        self._ends += [near, far]
        for one, other in ((near, far), (far, near)):
            Thread(target=_carry, args=(one, other), daemon=True).start()


def _carry(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while some := one.recv(1 << 16):
            other.sendall(some)
    _shut(one)
    _shut(other)


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
