# Shell language, pipes, archives and processes in long lines, as a person tries them.
# project: files
# ignore: times pids

#### traps, errexit and functions
set -euo pipefail; f() { local x=${1:-d}; echo "f $x"; return 0; }; trap 'echo "exit $?"' EXIT; f; f a; (exit 3) || echo "caught $?"; g() { false; echo no; }; if g; then echo yes; fi; x=$(f sub); echo "$x"; false; echo never

#### loops, case, select and arithmetic
for ((i=0;i<3;i++)); do ((i==1)) && continue; echo -n "$i "; done; echo; n=0; until ((n>=3)); do ((++n)); done; echo $n; case abc in a*) echo A;;& *c) echo C;; *) echo none;; esac; while IFS=: read -r a _ c _; do echo "$a $c"; break; done < /etc/passwd; echo $((2**10)) $((0x1f)) $((7/2)) $((7%3)) $((1<<4)); [[ abc =~ ^a(.)c$ ]] && echo "${BASH_REMATCH[1]}"; [[ -d docs && ! -f nope ]] && echo both; let x=5*3; echo $x; echo $((RANDOM<40000)); time -p true 2>/dev/null; echo ${PIPESTATUS[0]}

#### here-docs, process substitution and descriptors
cat <<-E
	tabbed $((1+1))
	E
diff <(seq 3) <(seq 2 4); comm -12 <(printf 'a\nb\n') <(printf 'b\nc\n'); exec 3> out.txt; echo to3 >&3; exec 3>&-; cat out.txt; { echo o; echo e >&2; } 2>&1 | sort; { echo o; echo e >&2; } 2>/dev/null; echo x 2>&1 >/dev/null; exec 4< out.txt; read -u 4 l; echo "$l"; exec 4<&-; echo hi | tee >(cat > t2) > /dev/null; sleep 0.2; cat t2; rm out.txt t2; cat <<< "here $USER" | wc -w; coproc cat; echo co >&${COPROC[1]}; read -u ${COPROC[0]} z; echo $z; kill $COPROC_PID

#### reads a script with options and help
cat > tool.sh <<'E'
#!/usr/bin/env bash
set -u
usage() { echo "usage: $0 [-n NUM] [-o FILE] [-h]"; exit "${1:-0}"; }
num=1 out=/dev/stdout
while getopts ':n:o:h' o; do
  case $o in
    n) num=$OPTARG ;;
    o) out=$OPTARG ;;
    h) usage ;;
    :) echo "missing $OPTARG" >&2; usage 2 ;;
    *) echo "bad $OPTARG" >&2; usage 2 ;;
  esac
done
shift $((OPTIND-1))
for ((i=0;i<num;i++)); do echo "$i ${*:-none}"; done > "$out"
E
chmod +x tool.sh; ./tool.sh; ./tool.sh -n 2 a b; ./tool.sh -n 1 -o r.txt x && cat r.txt; ./tool.sh -h; ./tool.sh -z; echo "status $?"; ./tool.sh -n; echo "status $?"; bash -n tool.sh && echo syntax ok; bash -x ./tool.sh -n 0 2>&1 | tail -1; rm tool.sh r.txt

#### stdin reaches the command
# stdin: first\nsecond\nthird\n
read -r a; echo "got $a"; cat | tr a-z A-Z; cat; echo "end $?"

#### stdin for python
# project: python
# needs: python3
# stdin: 3\n4\n
python3 -c 'print(sum(int(x) for x in open(0)))'

#### binary through a pipe
head -c 256 /dev/urandom > r.bin; cat r.bin | cmp - r.bin && echo same; gzip -c r.bin | zcat | cmp - r.bin && echo zip; xxd -p r.bin | xxd -r -p | cmp - r.bin && echo hex; printf '\x00\x01\xff' | od -An -tx1; rm r.bin

#### archives of all kinds
tar czf a.tgz docs src && tar tzf a.tgz | wc -l && mkdir x && tar xzf a.tgz -C x && diff -r docs x/docs && echo same; zip -qr a.zip docs && unzip -l a.zip | tail -1 | awk '{print $2}'; unzip -qo a.zip -d y && ls y; tar cJf a.txz docs; xz -l a.txz | wc -l; gzip -k README.md && zcat README.md.gz | cmp - README.md && echo gz; bzip2 -k README.md; bzcat README.md.bz2 | wc -l; cpio -o < <(find docs -type f) 2>/dev/null > c.cpio; cpio -it < c.cpio 2>/dev/null | wc -l; rm -rf a.tgz a.zip x y a.txz README.md.* c.cpio

#### odd names
mkdir -p 'a b/c'"'"'d' && touch 'a b/-x' $'a b/new\nline' 'a b/ü€' && ls 'a b' | wc -l; find 'a b' -print0 | sort -z | tr '\0' '|'; rm -- 'a b/-x'; for f in 'a b'/*; do printf '[%q]\n' "$f"; done; mv 'a b' "z z" && rm -rf "z z"; touch -- --opt && ls -- --opt && rm -- --opt; echo * | wc -w; shopt -s dotglob nullglob; echo nope*; cp -r docs 'copy of docs' && diff -r docs 'copy of docs' && rm -r 'copy of docs'

#### jobs, signals and timeouts
sleep 30 & p=$!; kill $p; wait $p; echo "status $?"; timeout 0.2 sleep 5; echo "status $?"; timeout -s KILL 0.2 sleep 5; echo "status $?"; (trap 'echo term; exit 9' TERM; kill -TERM $BASHPID; sleep 1); echo "status $?"; sleep 0.1 & sleep 0.2 & wait; jobs; echo "jobs $?"; { sleep 0.1; echo bg; } & wait $!; nohup echo nh 2>/dev/null; setsid echo ss; nice -n 5 nice; bash -c 'kill -SEGV $$'; echo "status $?"; pgrep -x nosuch; echo "status $?"; ps -o comm= -p $$; ulimit -n 100; ulimit -n; exec bash -c 'echo execed; exit 6'

#### flock, xargs parallel and wait -n
(flock 9; echo locked) 9> l.lock; flock -n l.lock -c 'echo got'; seq 6 | xargs -P3 -I{} sh -c 'echo {}' | sort | xargs; (sleep .3; exit 3) & (sleep .1; exit 4) & wait -n; echo $?; wait; rm l.lock; time sleep 0 2>/dev/null; watch -n1 -t true & sleep .1; kill $! 2>/dev/null; wait 2>/dev/null; echo end

#### prints what awk picks by xargs
seq 10 | awk 'NR%2' | xargs; find . -name '*.csv' | xargs -I{} sh -c 'wc -l < {}' | sort -n
