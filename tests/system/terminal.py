"""A terminal of 80 columns, as far as poslab uses one: what it shows after a program has written to it."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

COLUMNS = 80
SGR = re.compile(rb"\x1b\[([0-9;]*)m")
ERASE = b"\x1b[K"


class Terminal:
    """`lines`: each a list of characters with their style, "" or as in "1;38;5;28". `unknown`: what it would have had to obey besides."""

    def __init__(self):
        self.lines, self.column, self.style, self.unknown, self.left_styled = [[]], 0, "", [], False

    def write(self, data):
        while data:
            sgr = SGR.match(data)
            if sgr:
                self.style = "" if sgr[1] in (b"", b"0") else sgr[1].decode()
                data = data[sgr.end():]
            elif data.startswith(ERASE):
                del self.lines[-1][self.column:]
                data = data[len(ERASE):]
            elif data[:1] == b"\r":
                self.column, data = 0, data[1:]
            elif data[:1] == b"\n":
                self.left_styled = self.left_styled or self.style != ""
                self.lines.append([])
                self.column, data = 0, data[1:]
            else:
                data = self._character(data)

    def _character(self, data):
        size = next(n for n in (1, 2, 3, 4) if n == 4 or len(data[:n].decode(errors="ignore")) == 1)
        shown = data[:size].decode()
        if not shown.isprintable():
            self.unknown.append(shown)
        self.lines[-1][self.column:self.column + 1] = [(shown, self.style)]
        self.column += 1
        return data[size:]

    def text(self):
        return "\n".join("".join(character for character, _ in line) for line in self.lines)

    def widest(self):
        return max(self.lines, key=len)

    def styles(self):
        """Each style with the texts that stand in it."""
        found = {}
        for line in self.lines:
            before = ""
            for character, style in line:
                if style and style == before:
                    found[style][-1] += character
                elif style:
                    found.setdefault(style, []).append(character)
                before = style
        return found


def on_a_terminal(words, environment, cwd, interrupt_at=None):
    """Runs it on a terminal of its own, with Ctrl-C typed once that has shown `interrupt_at`; the exit code and the terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd, env=environment,
                               start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    os.close(theirs)
    said, typed = b"", interrupt_at is None
    while True:
        try:
            got = os.read(ours, 1 << 16)
        except OSError:  # nobody has it open any more
            break
        if not got:
            break
        said += got
        if not typed and interrupt_at in said:
            os.write(ours, b"\x03")
            typed = True
    os.close(ours)
    terminal = Terminal()
    terminal.write(said)
    return process.wait(timeout=60), terminal
