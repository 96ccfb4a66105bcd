# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""completion.py SHELL FOLDER CASES: asks an interactive shell, on a pseudo-terminal, how it completes lines.
FOLDER is where the shell looks for completions: bash in FOLDER/completions, zsh in FOLDER itself, and fish in
FOLDER/fish/vendor_completions.d. A line of CASES is a command line, a tab, and the words that must be offered, separated by blanks;
"a_b" is a name with a blank. If the words end with "…" there may be more. Prints a line for each case: "ok" or
what differs. A word that the shell takes for a command while it completes is printed, too."""
import os
import pty
import re
import select
import shlex
import subprocess
import sys
import tempfile
import time

LONGEST_WAIT = 60.0  # seconds, on a machine that has much else to do
KEYS = "\x18a"       # Ctrl-X a: completes the line, writes to $GOT what is offered, and clears the line

BASH = r"""
PS1=
source /usr/share/bash-completion/bash_completion
command_not_found_handle() { echo "executed: $*" >>"$GOT"; }
bind 'set completion-query-items 0'
bind '"\C-xi": insert-completions'
bind -x '"\C-xw": printf "%s\nend\n" "$READLINE_LINE" >>"$GOT"; READLINE_LINE= READLINE_POINT=0'
bind '"\C-xa": "\C-xi\C-xw"'
echo end >>"$GOT"
"""

ZSH = r"""
PS1= RPROMPT= LISTMAX=10000
fpath=($FOLDER $fpath)
autoload -Uz compinit
compinit -D -u
command_not_found_handler() { print -r -- "executed: $*" >>$GOT }
compadd() {
	local -a offered
	if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
		builtin compadd -A offered "$@"
		(( $#offered == 0 )) || print -rl -- "${(@q)${(@Q)offered}}" >>$GOT
	fi
	builtin compadd "$@"
}
zle -C offer list-choices _main_complete
complete-and-clear() { zle offer; print end >>$GOT; BUFFER= }
zle -N complete-and-clear
bindkey '^Xa' complete-and-clear
print end >>$GOT
"""


def started(shell, folder, got):
    """Starts the shell, and returns the end of its terminal."""
    with tempfile.NamedTemporaryFile("w", suffix=".rc", delete=False) as f:
        f.write(BASH if shell == "bash" else ZSH)
    env = dict(os.environ, GOT=got, FOLDER=folder, BASH_COMPLETION_USER_DIR=folder, TERM="dumb", INPUTRC="/dev/null")
    pid, terminal = pty.fork()
    if pid == 0:
        if shell == "bash":
            os.execvpe("bash", ["bash", "--noprofile", "--rcfile", f.name, "-i"], env)
        os.execvpe("zsh", ["zsh", "-f", "-i"], env)
    if shell == "zsh":
        os.write(terminal, f"source {f.name}\n".encode())
    return terminal, f.name


def answer(terminal, got, nth):
    """Waits until `got` has the nth line "end", and returns the lines between it and the one before."""
    limit = time.monotonic() + LONGEST_WAIT
    shown = b""
    while time.monotonic() < limit:
        if select.select([terminal], [], [], 0.02)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:
                break
        with open(got, encoding="utf-8") as f:
            parts = f.read().split("end\n")
        if len(parts) > nth:
            return parts[nth - 1].splitlines()
    sys.exit(f"the shell does not answer: {shown.decode(errors='replace')}")


def words_of(shell, line, lines):
    """The words that were offered for the line."""
    typed = line.rsplit(" ", 1)[1]
    if shell == "bash":
        # Here all words stand in the line. If there is none, what was typed still stands there.
        before = line[:len(line) - len(typed)]
        lines = ["" if x in (line, line + " ") else x.removeprefix(before) for x in lines]
    lines = [x for x in lines if not x.startswith("executed: ")]
    if shell == "fish":  # a line is a word as it stands, and after a tab what it is
        words = [x.split("\t")[0] for x in lines]
    else:
        words = [w for x in lines for w in shlex.split(x)]
    # In words like --emit=nfa and -Wno-NAME only the value is compared: not all shells say what stands before it.
    before = re.match("--[^=]*=|-[A-Za-z]+-|", typed).group()
    words = [w.removeprefix(before) for w in words]
    return sorted({w.rstrip("=/").replace(" ", "_") for w in words})


def main():
    shell, folder, cases = sys.argv[1:]
    lines = [x.split("\t") for x in open(cases, encoding="utf-8").read().splitlines()]
    handle, got = tempfile.mkstemp()
    os.close(handle)
    if shell != "fish":
        terminal, rc = started(shell, folder, got)
        answer(terminal, got, 1)
        os.remove(rc)
    for i, (line, wanted) in enumerate(lines):
        if shell == "fish":
            run = subprocess.run(["fish", "-c", "complete -C $argv[1]", line], capture_output=True, text=True,
                                 env=dict(os.environ, XDG_DATA_DIRS=folder, HOME=folder), check=False)
            out = run.stdout.splitlines() + ["executed: " + x for x in run.stderr.splitlines()]
        else:
            os.write(terminal, (line + KEYS).encode())
            out = answer(terminal, got, i + 2)
        offered = words_of(shell, line, out)
        bad = [x for x in out if x.startswith("executed: ")]
        exact = not wanted.endswith("…")
        wanted = set(wanted.removesuffix("…").split())
        bad += ["not offered: " + w for w in sorted(wanted - set(offered))]
        bad += ["offered: " + w for w in offered if exact and w not in wanted]
        print("; ".join(bad) or "ok", flush=True)
    os.remove(got)


main()
