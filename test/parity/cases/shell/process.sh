# Processes: jobs, signals, groups, limits, debuggers.
# project: files

#### runs jobs abreast and collects them
# subset: yes
for i in 1 2 3 4; do (sleep 0.$i; echo "job $i" >> jobs.txt) & done; wait; cat jobs.txt; jobs | wc -l

#### kills a background job and tells its status
# subset: yes
# ignore: pids
sleep 100 & pid=$!; kill $pid; wait $pid; echo "status $?"; kill -0 $pid 2>/dev/null || echo gone

#### stops and continues a job
sleep 100 & pid=$!; kill -STOP $pid; sleep 0.2; awk '{ print $3 }' /proc/$pid/stat; kill -CONT $pid; kill $pid; wait $pid 2>/dev/null; echo "status $?"

#### starts a worker with nohup and reads its log
# subset: yes
nohup sh -c 'for i in 1 2 3; do echo tick $i; sleep 0.1; done' > worker.log 2>&1 &
wait $!; cat worker.log

#### starts a session of its own
setsid sh -c 'echo session; sleep 0.1'; setsid -w true; echo "status $?"; (trap '' HUP; sleep 0.1; echo survived)

#### finds its processes by name
# subset: yes
sleep 31.5 & sleep 31.5 & sleep 0.5; pgrep -fx 'sleep 31.5' | wc -l; pkill -fx 'sleep 31.5'; wait; pgrep -fx 'sleep 31.5' | wc -l; ps -o comm= -p $$

#### sees itself in the process table
ps -o pid= -p $$ | wc -l; ps aux | grep -c '[s]leep 123'; cat /proc/$$/comm; test "$(cat /proc/self/status | awk '/^PPid/ { print $2 }')" = $$ && echo child; ls /proc/$$/fd | wc -l | grep -c .

#### kills a whole group
# ignore: pids
set -m; (sleep 50 & sleep 50 & wait) & sleep 0.2; kill -- -$!; wait $! 2>/dev/null; echo "status $?"; pgrep -x sleep | wc -l

#### waits for a file that a job makes
(sleep 0.3; touch ready) & until [ -e ready ]; do sleep 0.05; done; echo ready; wait

#### retries until it works
# subset: yes
n=0; until [ $n -ge 3 ]; do n=$((n + 1)); test -f "try-$n" && break; echo "attempt $n"; touch "try-$((n + 1))"; done; echo "after $n"

#### survives a child that is aborted
# ignore: pids
bash -c 'kill -ABRT $$' 2>&1; echo "status $?"; python3 -c 'import os; os.abort()' 2>/dev/null; echo "status $?"

#### forks deeply
f() { [ $1 -eq 0 ] && echo bottom || (f $(($1 - 1))); }; f 30; echo $(echo $(echo $(echo deep)))

#### uses hundreds of processes
for i in $(seq 1 150); do sleep 0.5 & done; jobs -p | wc -l; wait; echo done

#### opens many files
# needs: python3
python3 -c 'files = [open("/dev/null") for _ in range(900)]; print(len(files))'

#### uses much memory
# needs: python3
python3 -c 'block = bytearray(600_000_000); print(len(block))'

#### maps memory and locks files
# needs: python3
python3 -c '
import fcntl, mmap, os
with open("map.bin", "w+b") as f:
    f.truncate(4096)
    m = mmap.mmap(f.fileno(), 4096); m[:3] = b"abc"; m.flush(); f.seek(0); print(f.read(3))
    fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB); print("locked")
    os.posix_fallocate(f.fileno(), 0, 8192); print(os.fstat(f.fileno()).st_size)'

#### uses event loops, timers and pipes of the kernel
# needs: python3
python3 -c '
import os, select, signal, socket, threading
r, w = os.pipe(); e = select.epoll(); e.register(r, select.EPOLLIN); os.write(w, b"x"); print(len(e.poll(1)))
a, b = socket.socketpair(); a.send(b"hi"); print(b.recv(2))
signal.signal(signal.SIGALRM, lambda *_: print("alarm")); signal.setitimer(signal.ITIMER_REAL, 0.05); signal.pause()
print(os.sched_getaffinity(0) != set(), threading.active_count())
fd = os.memfd_create("x"); os.write(fd, b"y"); print(os.fstat(fd).st_size); print(len(os.urandom(4)))
print(os.getpriority(os.PRIO_PROCESS, 0)); os.nice(1)'

#### runs at a lower priority
nice -n 5 bash -c 'nice'; ionice -c3 true 2>/dev/null; echo "status $?"; taskset -c 0 true 2>/dev/null; echo "status $?"; stdbuf -oL echo line; renice -n 6 $$ >/dev/null && nice

#### traces its own child
# needs: strace
strace -f -e trace=openat -o trace.txt cat README.md > /dev/null; echo "status $?"; grep -c README.md trace.txt; rm trace.txt

#### debugs its own program
# needs: gdb gcc
printf 'int f(int n) { return n + 1; }\nint main(void) { return f(41) == 42 ? 0 : 1; }\n' > p.c && gcc -g -O0 -o p p.c && gdb -batch -nx -ex 'break f' -ex run -ex 'print n' -ex continue ./p 2>/dev/null | grep -E '^\$1|exited'

#### finds a leak by a sanitizer
# needs: gcc
# ignore: pids addresses
printf '#include <stdlib.h>\nint main(void) { volatile char *p = malloc(7); p = 0; return p != 0; }\n' > leak.c && gcc -g -fsanitize=address -o leak leak.c && ./leak > leak.txt 2>&1; echo "status $?"; grep -c 'LeakSanitizer: detected' leak.txt; rm -f leak leak.txt

#### catches a memory error by a sanitizer
# needs: gcc
printf '#include <stdlib.h>\nint main(void) { char *p = malloc(4); p[4 + (p == 0)] = 1; free(p); return 0; }\n' > over.c && gcc -g -fsanitize=address,undefined -o over over.c && ./over > over.txt 2>&1; echo "status $?"; grep -o 'heap-buffer-overflow' over.txt | head -1; rm -f over over.txt

#### leaves a process behind and says so
# expect: both note /left|ended|stopped|still running|background/
sleep 300 & echo started

#### measures a benchmark
for i in 1 2 3; do /usr/bin/env true; done; awk 'BEGIN { t = 0; for (i = 0; i < 1000000; i++) t += i; print t }'

#### opens no window and no clipboard
echo "${DISPLAY:-none} ${SSH_AUTH_SOCK:-none} ${XDG_RUNTIME_DIR:-none}"; echo copy | xclip 2>/dev/null; echo "status $?"

#### schedules at a terminal multiplexer
# needs: tmux
tmux -L parity new-session -d -s work 'echo from tmux > tmux.txt; sleep 30' && sleep 0.7 && cat tmux.txt && tmux -L parity ls | cut -d: -f1 && tmux -L parity kill-server; echo "status $?"
