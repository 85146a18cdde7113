# The machine as a command sees it: processes, signals, limits, sockets, devices, users.
# project: files
# ignore: times pids

#### starts jobs, lists and ends them
sleep 30 & sleep 31 & jobs | sed 's/ *$//'; jobs -p | wc -l; kill %1; wait %1; echo "status $?"; kill -STOP %2; sleep 0.1; jobs -l | grep -c Stopped; kill -CONT %2; kill %2; wait; echo "status $?"; disown -a; fg; echo "status $?"

#### finds its own processes
sleep 41 & p=$!; ps -p $p -o comm=; ps aux | grep -c '[s]leep 41'; pgrep -f 'sleep 41' | grep -cx $p; ps -ef | awk '$8 == "sleep" { n++ } END { print n }'; pgrep -x sleep | wc -l; test -d /proc/$p && tr '\0' ' ' < /proc/$p/cmdline; echo; readlink /proc/$p/exe | sed 's|.*/||'; kill -0 $p && echo alive; kill $p; wait $p 2>/dev/null; kill -0 $p; echo "status $?"; pidof sleep; echo "status $?"

#### looks at open files
# needs: lsof
exec 7> open.txt; lsof -p $$ 2>/dev/null | grep -c open.txt; ls /proc/$$/fd | grep -c '^7$'; readlink /proc/$$/fd/7 | sed 's|.*/||'; exec 7>&-; lsof -t open.txt 2>/dev/null; echo "status $?"; rm open.txt

#### looks for listeners
# needs: ss python3
python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1 & for i in {1..50}; do ss -ltn | grep -q :8123 && break; sleep 0.1; done; ss -ltn | awk '/8123/ { print $1, $4 }'; ss -tlnp 2>/dev/null | grep -c 8123; lsof -iTCP:8123 -sTCP:LISTEN -t 2>/dev/null | wc -l; fuser 8123/tcp 2>/dev/null | wc -w; kill $!; wait $! 2>/dev/null; ss -ltn | grep -c 8123

#### handles signals of many kinds
for s in HUP INT QUIT ILL ABRT FPE KILL SEGV PIPE ALRM TERM USR1; do (ulimit -c 0; sh -c "kill -$s \$\$") 2>/dev/null; printf '%s=%s ' $s $?; done; echo; kill -l 15; kill -l | wc -w | grep -c .; trap 'echo usr1' USR1; kill -USR1 $$; trap '' INT; kill -INT $$; echo survived; trap - INT; trap -p USR1; trap 'echo bye' EXIT; (trap 'echo inner' EXIT); exit 5

#### ends a tree of processes
bash -c 'sleep 50 & sleep 51 & wait' & p=$!; sleep 0.3; pkill -P $p; wait $p; echo "status $?"; pgrep -f 'sleep 5[01]' ; setsid sleep 52 & sleep 0.2; pkill -f 'sleep 52'; wait; (sleep 53 & echo $! > /tmp/pid); kill "$(cat /tmp/pid)"; rm /tmp/pid; killall sleep 2>&1 | sed 's/.*: //'; echo done

#### is stopped by a time limit inside
timeout 0.5 bash -c 'trap "echo got TERM; exit 3" TERM; while :; do sleep 0.1; done'; echo "status $?"; timeout -k 0.3 0.3 bash -c 'trap "" TERM; while :; do sleep 0.1; done'; echo "status $?"; timeout 0.3 sleep 2; echo "status $?"

#### has its limits
ulimit -n | grep -c .; ulimit -s; ulimit -t unlimited; (ulimit -v 200000; python3 -c 'x = bytearray(400 * 1024 * 1024)' 2>&1 | tail -1); (ulimit -t 1; while :; do :; done); echo "status $?"; (ulimit -n 10; for i in {3..12}; do eval "exec $i</dev/null" || break; done) 2>&1 | tail -1; ulimit -a | wc -l; nproc | grep -c .; prlimit --nofile -o SOFT --noheadings >/dev/null; echo "status $?"; umask; umask -S; umask 027; touch m; mkdir md; stat -c %a m md

#### says who and where it is
[ "$(whoami)" = "$(id -un)" ] && echo same; id -u | grep -c .; groups >/dev/null && echo groups; [ "$(hostname)" = "$(cat /etc/hostname 2>/dev/null || hostname)" ] && echo host; uname -s; uname -m; test -f /etc/os-release && . /etc/os-release && echo "${ID:+has id}"; getent passwd "$(id -u)" | cut -d: -f1 | grep -cx "$(whoami)"; logname >/dev/null 2>&1; who | wc -l; uptime >/dev/null && echo up; tty; echo "$USER" | grep -c .; echo ~root; arch; getconf PAGESIZE; lscpu >/dev/null 2>&1; echo "status $?"; echo "$HOSTNAME" | grep -cx "$(hostname)"; nproc --all | grep -c .; cat /proc/loadavg | wc -w; test -r /proc/cpuinfo && echo cpu; cat /proc/meminfo | grep -c MemTotal

#### refuses sudo
# expect: both denied /Ask a person/
sudo -n true; echo "status $?"

#### finds no crontab, screen or other tools
for t in crontab screen at nc rsync tree; do command -v $t >/dev/null && echo "has $t" || echo "no $t"; done; command -v no-such-tool; echo "status $?"; no-such-tool --version 2>&1 | sed 's/line [0-9]*/line N/'; type no-such-tool; echo "status $?"; which no-such-tool; echo "status $?"

#### uses /proc and /dev
cat /proc/self/comm; tr '\0' '\n' < /proc/self/environ | grep -c '^HOME='; test -e /dev/tty; echo hi > /dev/null; head -c 4 /dev/zero | xxd -p; head -c 4 /dev/urandom | wc -c; ls -l /proc/self/fd | wc -l | grep -c .; readlink /proc/self/cwd | sed 's|.*/||'; cat /proc/version | cut -d' ' -f1; test -c /dev/full && echo x > /dev/full; echo "status $?"; cat /proc/$$/status | grep -E '^(Name|State)' | head -1; cat /proc/filesystems | grep -c tmpfs; ls /sys >/dev/null && echo sys; cat /proc/self/limits | wc -l; cat /proc/uptime | wc -w; cat /proc/mounts | wc -l | grep -c .; echo $PPID | grep -c .; ls -d /proc/[0-9]* | wc -l | grep -c .; cat /proc/1/comm >/dev/null && echo init

#### talks through named pipes both ways
mkfifo req res; (while read -r x < req; do [ "$x" = quit ] && break; echo "$((x * 2))" > res; done) & for n in 1 2 3; do echo $n > req; cat res; done; echo quit > req; wait; rm req res

#### locks between processes
(flock 9; echo a1; sleep 0.3; echo a2) 9> l & sleep 0.1; (flock 9; echo b) 9> l; wait; flock -n l true && echo free; python3 - <<'P'
import fcntl, os
f = open("l", "w"); fcntl.lockf(f, fcntl.LOCK_EX)
if os.fork() == 0:
    g = open("l", "w")
    try: fcntl.lockf(g, fcntl.LOCK_EX | fcntl.LOCK_NB); print("got", flush=True)
    except OSError as e: print("locked", e.errno, flush=True)
    os._exit(0)
os.wait()
P
mkdir lockdir && (mkdir lockdir 2>/dev/null || echo taken); rmdir lockdir; rm l; ln -s "pid $$" lk && (ln -s x lk 2>/dev/null || echo held); rm lk

#### runs jobs in parallel and collects their statuses
pids=(); for i in 1 2 3 4; do (sleep 0.$i; exit $i) & pids+=($!); done; for p in "${pids[@]}"; do wait "$p"; printf '%s ' $?; done; echo; for f in docs/*.md; do wc -l < "$f" > "/tmp/$(basename "$f").n" & done; wait; cat /tmp/*.n; seq 6 | xargs -P3 -I{} bash -c 'echo $(( {} * {} ))' | sort -n | paste -sd,; wait -n; echo "status $?"; (exit 3) & wait -f $!; echo $?

#### serves TCP by Python and asks by bash
# needs: python3
python3 -c '
import socket
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); s.bind(("127.0.0.1", 7070)); s.listen()
open("ready", "w").close()
for _ in range(2):
    c, _ = s.accept(); c.sendall(b"you said " + c.recv(100)); c.close()' &
while [ ! -e ready ]; do sleep 0.05; done
for m in one two; do exec 3<>/dev/tcp/127.0.0.1/7070; echo $m >&3; cat <&3; exec 3>&-; done; wait; rm ready

#### asks for names
getent hosts localhost | awk '{ print $2 }'; getent ahosts localhost | awk '{ print $2 }' | sort -u | head -1; ping -c1 -W1 127.0.0.1 >/dev/null 2>&1; echo "ping $?"; hostname -f >/dev/null 2>&1; cat /etc/resolv.conf >/dev/null && echo resolv; grep -c . /etc/services >/dev/null; ip -o addr show lo 2>/dev/null | wc -l | grep -c .; ifconfig lo 2>/dev/null | grep -c 127.0.0.1

#### uses a terminal multiplexer
# needs: tmux
tmux -L t new-session -d -s work 'echo in tmux > tmux.txt; sleep 5' && sleep 0.7; tmux -L t ls | cut -d: -f1; cat tmux.txt; tmux -L t send-keys -t work 'x'; tmux -L t kill-server; echo "status $?"; rm -f tmux.txt

#### debugs its own program
# needs: gdb gcc
echo 'int f(int x) { return x * 2; } int main(void) { return f(4); }' > d.c && gcc -g -o d d.c && gdb -q -batch -ex 'break f' -ex run -ex 'p x' -ex finish -ex kill ./d 2>&1 | grep -E '^\$|Value' ; ./d; echo "status $?"; rm d d.c

#### traces its own program
# needs: strace
strace -f -e trace=openat -o /tmp/t.log cat README.md | head -1; grep -c README.md /tmp/t.log; strace -c true 2>&1 | tail -1 | awk '{ print $NF }'

#### builds and links C and C++
# needs: gcc g++ ar
cat > m.cpp <<'C'
#include <iostream>
#include <map>
#include <thread>
int main() { std::map<std::string, int> m{{"a", 1}}; std::thread t([&] { m["b"] = 2; }); t.join(); for (auto& [k, v] : m) std::cout << k << v << "\n"; }
C
g++ -std=c++17 -O2 -Wall -pthread -o m m.cpp && ./m; echo 'int twice(int x) { return 2 * x; }' > t.c && gcc -c -fPIC t.c && ar rcs libt.a t.o && gcc -shared -o libt.so t.o && echo '#include <stdio.h>
int twice(int); int main(void) { printf("%d\n", twice(21)); }' > u.c && gcc u.c -L. -lt -Wl,-rpath,'$ORIGIN' -o u && ./u && gcc u.c libt.a -o us && ./us; nm -g t.o | awk '{ print $NF }'; objdump -d t.o | grep -c ret; size t.o | wc -l; ldd u | grep -c libc; echo 'int main(void) { return x; }' | gcc -xc - -o bad; echo "status $?"; gcc -E -P - <<< '#define A 3
A'; gcc -MM u.c; echo 'int main(void){int a[2]; volatile int i=5; return a[i];}' > o.c && gcc -g -fsanitize=address,undefined o.c -o o 2>/dev/null && ./o >/dev/null 2>&1; echo "sanitizer $?"; readelf -h u | grep -c ELF; rm -f m m.cpp t.* u u.c us o o.c libt.*

#### compiles and runs in /tmp
# needs: gcc
printf 'int main(void) { return 3; }\n' > /tmp/a.c && gcc /tmp/a.c -o /tmp/a.out && /tmp/a.out; echo "status $?"
# -- next command
/tmp/a.out; echo "status $?"; rm /tmp/a.out /tmp/a.c

#### writes into the machine's temporary directories
t=$(mktemp /tmp/x.XXXXXX) && echo data > "$t" && cat "$t" && rm "$t"; echo shm > /dev/shm/x && cat /dev/shm/x && rm /dev/shm/x; TMPDIR=$PWD mktemp | sed 's|.*/app/tmp\..*|in app|'; rm -f tmp.*; mktemp -d -t build-XXXX | cut -d- -f1; mktemp --suffix=.json | grep -c '\.json$'; python3 -c 'import tempfile; print(tempfile.gettempdir())'; node -p 'os.tmpdir()'

#### keeps its variables
env | grep -cE '^(PATH|HOME|USER|LANG|TERM|SHELL|PWD)='; echo "$LANG|$LC_ALL"; printenv HOME | grep -cx "$HOME"; printenv NOPE; echo "status $?"; echo "${CI-unset} ${EDITOR-unset} ${PAGER-unset} ${DISPLAY-unset}"; export A='multi
line' B=; bash -c 'echo "$A|$B|${C-none}"'; env -i bash -c 'echo "$PATH" | wc -c; env | sort | cut -d= -f1'; A=1 B=2 env | grep -E '^[AB]=' | sort; echo "$SHLVL" | grep -c .;

#### takes the shell's errors
${nope?is not set}; echo "status $?"
echo x | read y; (( 0 )); echo $?; let 1-1; echo $?; [ 1 -eq x ]; echo $?; test; echo $?; cd /nope; echo $?; echo after

#### looks users up
id nobody >/dev/null && echo nobody; getent group root | cut -d: -f1; stat -c %U /etc/passwd; test -w /etc/passwd; last >/dev/null 2>&1; true

#### asks for containers
# needs: docker
# expect: both stopped /docker|cordon/
docker --version | cut -d' ' -f1; docker ps

#### reads from a terminal that is none
read -t 0.3 x; echo "status $?"; read -s -p 'Password: ' p; echo "status $?"; stty size; echo "status $?"; tput colors; echo "status $?"; [ -t 2 ] || echo 'no terminal'; dialog 2>/dev/null; clear >/dev/null; echo "status $?"; tput -T xterm bold | wc -c; echo "${COLUMNS:-unset}"; less README.md; more README.md | head -1; vi -es -c q </dev/null; echo "status $?"; top -bn1 | head -1 | cut -d' ' -f1; python3 -c 'input("name? ")'; echo "status $?"; node -p 'process.stdout.isTTY'

#### passes signals to a server and waits
cat > s.py <<'P'
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *a: (print("closing", flush=True), sys.exit(0)))
signal.signal(signal.SIGHUP, lambda *a: print("reload", flush=True))
print("up", flush=True)
while True: time.sleep(0.05)
P
python3 s.py > s.log & p=$!; until grep -q up s.log; do sleep 0.05; done; kill -HUP $p; until grep -q reload s.log; do sleep 0.05; done; kill $p; wait $p; echo "status $?"; cat s.log; rm s.py s.log
