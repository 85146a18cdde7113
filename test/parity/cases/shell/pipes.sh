# Standard input, output and error: bytes, size, order, broken pipes.
# project: files

#### passes standard input on
# subset: yes
# stdin: one\ntwo\nthree\n
wc -l

#### feeds a filter from standard input
# stdin: b\na\nc\n
sort | head -2 | tr a-z A-Z

#### asks before a shell runs its standard input
# expect: both held /cordon approve/
# stdin: echo from-stdin $((6*7))\n
bash

#### takes a program from standard input
# needs: python3
# stdin: print(6 * 7)\n
python3 -

#### asks standard input for its size when there is none
wc -c < /dev/stdin; cat /dev/null | wc -c

#### prints two hundred thousand lines
# subset: yes
seq 1 200000

#### prints two million bytes without a newline
head -c 2000000 /dev/zero | tr '\0' 'x'

#### prints binary bytes
# subset: yes
printf '\000\001\377\376\r\n\033[0m\000'; cat data/raw.bin

#### prints a picture's bytes to a file and to the output
head -c 3000 /dev/urandom > noise.bin && cp noise.bin copy.bin && cmp noise.bin copy.bin && rm noise.bin copy.bin; printf '\x89PNG\r\n\x1a\n'

#### prints long lines
# subset: yes
head -c 300000 /dev/zero | tr '\0' 'a'; echo; printf 'b%.0s' {1..5000}; echo

#### prints a lot to both streams
for i in $(seq 1 5000); do echo "out $i"; echo "err $i" >&2; done

#### prints the same line many times
yes 'the same line' | head -n 20000

#### ends a producer when its consumer ends
# subset: yes
yes | head -1; seq 1 10000000 | head -2; cat /dev/zero | head -c 3 | xxd

#### prints carriage returns and progress
for i in 1 2 3; do printf '\rprogress %d%%' "$((i * 33))"; done; printf '\rdone          \n'

#### prints colours when told to
ls --color=always -d src docs; grep --color=always ERROR logs/app.log

#### prints nothing at all
true

#### prints empty lines and spaces
echo; echo; printf '   \n\t\n'; echo end; echo; echo

#### prints secrets that are none
# subset: yes
echo 'password=hunter2 token: abc123 AKIAIOSFODNN7EXAMPLE'; printf 'ghp_%s\n' 0123456789abcdefghijklmnopqrstuvwxyz

#### prints invalid UTF-8 between lines
printf 'ok\n\xc3\x28\nend\n\xe2\x82\n'

#### writes to stderr alone
# subset: yes
echo problem >&2

#### writes to /dev/stdout, /dev/stderr and /dev/fd
echo a > /dev/stdout; echo b > /dev/stderr; echo c > /dev/fd/1; echo d | tee /dev/stderr >/dev/null; cat /dev/fd/0 < README.md | head -1

#### closes its streams
exec 2>&-; ls missing; echo "status $?"; exec 1>&-; echo nothing

#### duplicates a stream through tee
seq 3 | tee >(wc -l >&2) | tail -1; sleep 0.2

#### runs long pipelines
seq 1 100 | grep -v 5 | sed 's/^/n/' | awk 'NR % 3 == 0' | sort -r | tail -n 5 | paste -sd' '

#### works through names with zeros between them
# subset: yes
find docs -type f -print0 | sort -z | xargs -0 -n1 basename

#### uses dd and pipes of exact size
dd if=/dev/zero of=zeros.bin bs=1024 count=64 status=none && stat -c %s zeros.bin; head -c 100 /dev/urandom | wc -c; dd if=data/block.bin bs=1 skip=10 count=4 status=none; echo

#### reads and writes the same pipe at once
# needs: python3
python3 -c '
import subprocess
p = subprocess.Popen(["tr", "a-z", "A-Z"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(p.communicate(b"x" * 300000)[0].count(b"X"))'

#### uses a pseudo terminal of its own
# needs: python3
python3 -c '
import pty, sys
status = pty.spawn(["/bin/sh", "-c", "test -t 1 && echo on a terminal; stty size >/dev/null && echo sized"])
print(status)'

#### uses script for a terminal
# needs: script
script -qec 'tty >/dev/null && echo terminal; echo "$TERM"' /dev/null

#### has no terminal of its own
tty; echo "status $?"; tput cols 2>/dev/null | wc -l; stty -a 2>&1 | head -1; echo > /dev/tty; echo "status $?"
