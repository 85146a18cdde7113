# Shell work of agents: text, archives, processes, the machine.
# project: files
# ignore: times

#### searches with ripgrep
# needs: rg
rg --version | head -1 | cut -d' ' -f1; rg TODO --sort path; rg -n --no-heading -g '*.py' 'def ' | sort; rg -c . data/sales.csv; rg -l ERROR; rg --files --sort path | head -3; rg -i -A1 error logs/app.log; rg nothing-here; echo $?; rg 'old (\w+)' -or '$1' docs/guide.md; rg --json TODO README.md | jq -r 'select(.type=="match").data.line_number'; rg -uu hidden --sort path; rg x missing; echo $?; rg --type py -e 'import' -e 'return' --sort path | wc -l

#### finds files with fd and lists trees
# needs: fdfind tree
fdfind -e py | sort; fdfind -H '^\.' --max-depth 1 | sort; fdfind . docs -x echo {/} | sort; tree -a --noreport src; tree -J -L 1 src | jq -r '.[0].contents[].name'

#### runs in parallel with GNU parallel
# needs: parallel
parallel --will-cite -k echo {} ::: a b c; seq 4 | parallel --will-cite -k -j2 'echo $(({} * 2))'; parallel --will-cite -k echo {1}-{2} ::: x y ::: 1 2; ls src/*.py src/lib/*.py | parallel --will-cite -k wc -l {}; parallel --will-cite -j2 'exit {}' ::: 0 1 0; echo $?; find . -name '*.js' | sort | parallel --will-cite -k basename {} .js

#### syncs trees with rsync
# needs: rsync
rsync -a src/ /tmp/mirror/ && diff -r src /tmp/mirror && rsync -ain --delete src/ /tmp/mirror/; touch /tmp/mirror/extra; rsync -a --delete --itemize-changes src/ /tmp/mirror/; rsync -a --exclude='*.py' --include='*/' . out/ && find out -name '*.py' | wc -l; rsync -r missing/ x/ 2>&1 | head -1 | cut -c1-30; rsync -a --backup --suffix=.old docs/guide.md README.md; ls README*; rm -rf out

#### edits JSON files in place with jq and a temporary file
# needs: jq
tmp=$(mktemp) && jq '.version="9.9.9" | .items |= map(select(.tags != []))' data/package.json > "$tmp" && mv "$tmp" data/package.json && cat data/package.json; jq -r '.scripts | to_entries[] | "\(.key)=\(.value)"' data/package.json; jq --arg v 1 '.x=$v' <<< '{}' | jq -c 'del(.x)'; jq -n '[range(3)] | map(. * 2) | @sh'; jq 'error("x")' <<< 1; echo $?; jq -Rn '[inputs | split(",")[1]] | unique' data/sales.csv -c; jq -e '.none' data/package.json; echo $?; jq . <<< '{'; echo $?

#### replaces over many files by find, grep and sed
grep -rlZ 'old' docs src | xargs -0 sed -i 's/old/new/g' && grep -rn 'new' docs src | sort; find . -name '*.py' -print0 | xargs -0 sed -i '1i # header' && head -1 src/main.py src/lib/helper.py; find src -name '*.js' -exec sed -i.bak 's/hi/hello/' {} + && find src -name '*.bak' -delete -print; perl -pi -e 's/^(\w+)=/export $1=/' .env.example; cat .env.example

#### renames many files in a loop
for f in docs/*.md; do mv -- "$f" "${f%.md}.markdown"; done; ls docs; for f in src/**/*.js; do echo "${f##*/} ${f%/*}"; done; shopt -s globstar nullglob dotglob; printf '%s\n' **/*.py; for f in *.nothing; do echo never; done; for i in {01..03}; do touch "n$i.tmp"; done; ls n*.tmp; rename 's/tmp/txt/' n*.tmp 2>/dev/null; rm n0*

#### extracts fields of a log and ranks them
awk '{ c[$1]++; b[$1] += $NF } END { for (i in c) print i, c[i], b[i] }' logs/access.log | sort -k2,2nr -k1,1; cut -d'"' -f2 logs/access.log | sort | uniq -c | sort -rn; awk '$(NF-1) >= 500' logs/access.log | wc -l; sed -nE 's/.*GET ([^"]+).*/\1/p' logs/access.log | sort -u | paste -sd,; tac logs/app.log | grep -m1 ERROR; grep -c '' logs/*.log; tail -n +2 data/sales.csv | while IFS=, read -r id name amount; do printf '%-6s|%8.2f\n' "$name" "$amount"; done

#### writes many files with nested here-documents
mkdir -p gen && for m in user post; do cat > "gen/$m.ts" <<E
export interface ${m^} {
  id: number
  name: string // \$literal \`tick\`
}
E
done; cat gen/*.ts; cat > gen/run.sh <<'OUTER'
#!/usr/bin/env bash
set -euo pipefail
cat <<INNER
inner $(basename "$0") ${1:-none}
INNER
OUTER
chmod +x gen/run.sh; gen/run.sh; gen/run.sh "a b"; cat <<-E
	tabs go
	E
cat <<< "here $((6*7))"; tee gen/a gen/b > /dev/null <<< both; cmp gen/a gen/b && echo equal

#### builds up a script with functions, traps and cleanup
cat > work.sh <<'E'
#!/usr/bin/env bash
set -Eeuo pipefail
tmp=$(mktemp -d)
cleanup() { local s=$?; rm -rf "$tmp"; echo "cleanup $s"; exit "$s"; }
trap cleanup EXIT
trap 'echo "failed at line $LINENO: $BASH_COMMAND" >&2' ERR
log() { printf '[%s] %s\n' "${FUNCNAME[1]}" "$*" >&2; }
main() { log start; echo data > "$tmp/f"; [[ -s $tmp/f ]] && log has data; grep -q nothing "$tmp/f"; log never; }
main "$@"
E
chmod +x work.sh && ./work.sh; echo "status $?"; bash -n work.sh && echo syntax fine; bash -x work.sh 2>&1 | grep -c '^+'; sh work.sh; echo "status $?"

#### uses coprocesses, named pipes and descriptors
coproc UP { stdbuf -oL tr a-z A-Z; }; echo hello >&"${UP[1]}"; read -r x <&"${UP[0]}"; echo "$x"; exec {UP[1]}>&-; mkfifo p; (sleep 0.1; echo one; echo two) > p & while read -r l; do echo "read $l"; done < p; rm p; exec 3<> data/sales.csv; read -r h <&3; echo "$h"; exec 3>&-; exec 4> out.txt; echo to four >&4; exec 4>&-; cat out.txt; { echo o; echo e >&2; } 2>&1 >/dev/null | sed 's/^/err: /'; cat <(echo a) <(echo b) > both; cat both; echo x > >(sed s/x/y/); wait; paste <(seq 2) <(seq 3 4)

#### takes turns by flock and counts without losing
echo 0 > n; for i in $(seq 8); do (flock 9; v=$(cat n); sleep 0.01; echo $((v + 1)) > n) 9> lock & done; wait; cat n; flock -n lock sleep 1 & sleep 0.3; flock -n lock echo never; echo "status $?"; flock -w 5 lock echo got; wait; rm lock n; set -o noclobber; echo a > c; echo b > c; echo "status $?"; echo d >| c; cat c

#### controls jobs, statuses and timeouts
sleep 30 & p=$!; jobs | tr -s ' ' | cut -d' ' -f2-; kill -0 $p && echo alive; kill %1; wait %1 2>/dev/null; echo "status $?"; (exit 3) & wait $!; echo "status $?"; sleep 0.2 & sleep 0.1 & wait -n; wait; timeout 0.3 sleep 9; echo "status $?"; timeout -s KILL 0.3 sleep 9; echo "status $?"; timeout --foreground 5 true; echo "status $?"; nohup sh -c 'echo from nohup' > nohup.log 2>&1 & wait; cat nohup.log; sleep 20 & disown; kill $!; setsid sh -c 'echo session'; trap 'echo got usr1' USR1; kill -USR1 $$; false | true; echo "${PIPESTATUS[*]}"; ! true; echo $?

#### looks at the machine
id -u | grep -cE '^[0-9]+$'; whoami; hostname | wc -l; uname -s; uname -m; nproc | grep -c .; free -m | head -1 | wc -w; df -h . | wc -l; lscpu | grep -c Architecture; uptime | grep -c load; cat /etc/os-release | grep ^ID=; getconf PAGE_SIZE; arch; tty; echo $?; groups | wc -l; date +%Z; locale | head -1; ulimit -n | grep -cE '^[0-9]+|unlimited'; cat /proc/sys/kernel/ostype; ls /; getent passwd root | cut -d: -f1; lsb_release -is 2>/dev/null; cat /proc/cpuinfo | grep -c ^processor; head -1 /proc/meminfo | cut -d: -f1; mount | grep -c ' / '; ls /dev | grep -xE 'null|zero|full|random|urandom|tty|stdin|shm' | sort | tr '\n' ' '

#### looks at processes
ps -e -o comm= | sort | uniq | grep -x bash; ps aux | head -1 | awk '{ print $1, $NF }'; sleep 33 & pgrep -x sleep | wc -l; pgrep -f 'sleep 33' | grep -c $!; ps -o args= -p $!; ps -p $! -o ppid= | tr -d ' ' | grep -cx $$; pkill -x sleep; wait; pidof no-such-thing; echo $?; ls -l /proc/$$/exe | sed 's/.*-> //'; cat /proc/self/comm; tr '\0' ' ' < /proc/self/cmdline; echo; readlink /proc/self/cwd | sed 's|.*/||'; killall no-such-thing 2>&1; top -bn1 | head -1 | cut -c1-3; lsof -p $$ >/dev/null 2>&1; echo $?; fuser README.md; echo $?

#### sees addresses and ports of its own
ip -br a show lo | awk '{ print $1, $3 }'; ss -tln | head -1 | awk '{ print $1 }'; nc -l -p 4700 -N < README.md > /dev/null 2>&1 & sleep 0.5; nc -w 2 localhost 4700 < /dev/null | head -1; wait; cat /etc/hosts | grep -c localhost; getent hosts localhost | wc -l; (echo > /dev/tcp/127.0.0.1/4701) 2>&1 | sed 's/.*: //' | head -1; ping -c1 -W1 127.0.0.1 >/dev/null 2>&1; echo "ping $?"; hostname -i >/dev/null 2>&1; curl -s localhost:4702; echo "status $?"

#### relays with socat and keeps a server busy
# needs: socat curl
socat TCP-LISTEN:4711,reuseaddr,fork PIPE & p=$!; for i in 1 2 3 4 5 6 7 8 9; do (echo > /dev/tcp/localhost/4711) 2>/dev/null && break; sleep 0.1; done; echo ping | socat - TCP:localhost:4711; exec 5<>/dev/tcp/127.0.0.1/4711; echo raw >&5; read -r l <&5; echo "$l"; exec 5>&-; socat UNIX-LISTEN:/tmp/e.sock,fork PIPE & q=$!; sleep 0.3; echo up | socat - UNIX-CONNECT:/tmp/e.sock; kill $p $q; wait 2>/dev/null; true

#### packs, lists, checks and unpacks
tar czf a.tgz --exclude=logs --sort=name --owner=0 --group=0 --mtime=@0 . 2>/dev/null; tar tzf a.tgz | wc -l; mkdir u && tar xzf a.tgz -C u && diff -rq --no-dereference --exclude=a.tgz --exclude=u --exclude=logs . u; tar cf - -C src . | tar tf - | sort; tar --zstd -cf z.tar.zst src && tar tf z.tar.zst | wc -l; tar xzf README.md; echo "status $?"; tar rf r.tar README.md && tar --delete -f r.tar README.md && tar tf r.tar; rm -rf u *.tgz *.zst r.tar; cpio -o < <(find src | sort) 2>/dev/null | cpio -t 2>/dev/null | wc -l; ar rc x.a README.md && ar t x.a; 7z a -bd s.7z src >/dev/null && 7z l s.7z | grep -c main.py; gzip -c README.md | zcat | cmp - README.md; rm -f x.a s.7z

#### keeps attributes, links and modes
# needs: setfattr
setfattr -n user.note -v hello README.md; getfattr -n user.note --only-values README.md; echo; cp --preserve=xattr README.md r2; getfattr -d r2; setfattr -x user.note README.md; getfattr -d README.md; ln README.md hard; ln -s docs/guide.md soft; stat -c '%h %F' hard soft; cp -a soft soft2; readlink soft2; umask 077; touch private; stat -c %a private; umask 022; mkdir -m 1777 t; stat -c %a t; chmod -x bin/deploy.sh; ./bin/deploy.sh; echo "status $?"
# -- next command
getfattr -d r2; stat -c '%h' hard README.md; readlink soft

#### makes patches and applies, rejects and reverses them
cp -r docs docs.orig; sed -i 's/old/new/; $a more' docs/guide.md; diff -ruN docs.orig docs | sed 's/\t.*//' > c.patch; cat c.patch; rm -rf docs && mv docs.orig docs; patch -p0 --dry-run < c.patch; patch -p0 < c.patch; patch -p0 -R < c.patch; sed -i 's/Guide/Different/; s/The/That/' docs/guide.md; patch -p0 --no-backup-if-mismatch < c.patch; echo "status $?"; ls docs; git apply --stat c.patch; git apply --check c.patch; echo "status $?"; rm -f docs/*.rej docs/*.orig

#### makes keys, certificates and hashes
# needs: openssl ssh-keygen
ssh-keygen -q -t rsa -b 2048 -N 'pass' -f /tmp/k -C me@x && ssh-keygen -y -P pass -f /tmp/k | cut -d' ' -f1; ssh-keygen -y -P wrong -f /tmp/k >/dev/null 2>&1; echo "status $?"; openssl ecparam -genkey -name prime256v1 -out ec.pem 2>/dev/null; openssl req -new -key ec.pem -subj '/CN=a/O=b' -out r.csr && openssl req -in r.csr -noout -subject; openssl x509 -req -in r.csr -signkey ec.pem -days 2 -out c.crt 2>/dev/null; openssl verify -CAfile c.crt c.crt; openssl pkcs12 -export -inkey ec.pem -in c.crt -passout pass:x -out p.p12 && openssl pkcs12 -in p.p12 -passin pass:x -nokeys 2>/dev/null | grep -c BEGIN; openssl passwd -6 -salt ab x | cut -c1-6; openssl list -digest-commands | grep -c sha256; openssl enc -base64 <<< hi; sha512sum /dev/null | cut -c1-8; uuidgen | wc -c; rm ec.pem r.csr c.crt p.p12

#### serves TLS to itself
# needs: openssl curl
openssl req -x509 -newkey rsa:2048 -nodes -keyout /tmp/k.pem -out /tmp/c.pem -days 1 -subj /CN=localhost -addext 'subjectAltName=DNS:localhost' 2>/dev/null; openssl s_server -accept 4790 -key /tmp/k.pem -cert /tmp/c.pem -www >/dev/null 2>&1 & p=$!; for i in 1 2 3 4 5 6 7 8 9; do curl -s --cacert /tmp/c.pem https://localhost:4790/ -o page && break; sleep 0.2; done; grep -c 'Cipher' page | grep -c .; curl -s https://localhost:4790/ -o /dev/null; echo "status $?"; curl -sk https://localhost:4790/ -o /dev/null -w '%{http_code}\n'; kill $p; wait $p 2>/dev/null; rm page

#### works on dates and numbers
date -u -d '2026-02-28 +1 day' +%F; date -u -d '2026-03-29T01:30:00Z' --iso-8601=seconds; TZ=Asia/Tokyo date -d @1767225600 '+%F %R %Z'; echo $(( ($(date -ud 2026-12-25 +%s) - $(date -ud 2026-12-01 +%s)) / 86400 )); LC_ALL=C date -ud '2026-01-05' '+%A %j %V'; printf '%(%F)T\n' 0; seq 0 0.5 2; echo 'scale=4; sqrt(2); 2^64' | bc -l; printf '%05d %x %o %e\n' 42 255 8 12345.678; numfmt --from=iec 1M 2K; numfmt --to=si --suffix=B 1500000; echo $((16#ff)) $((2#1010)) $((7 / 2)) $((-7 % 3)); awk 'BEGIN { printf "%.3f %d\n", atan2(0, -1), int(-3.7) }'; python3 -c 'print(0.1 + 0.2, 2**100)'; date --date='@bad' 2>&1; touch -d '2 days ago' a && find . -maxdepth 1 -name a -mtime +1; rm a

#### prints in other locales
LC_ALL=C sort <<< $'é\nz\na'; LC_ALL=C.UTF-8 sort <<< $'é\nz\na'; LANG=xx_XX.UTF-8 bash -c 'echo ok'; LC_ALL=C.UTF-8 awk '{ print toupper($0), length }' <<< 'straße ñ'; LC_ALL=C wc -m <<< ñ; LC_ALL=C.UTF-8 wc -m <<< ñ; grep -P '\p{Lu}' <<< $'Éa\nb'; printf '%q\n' "a b'\$c" ñ $'\x01'; echo -e '\u00e9\x41\101'; LANGUAGE=de LC_ALL=C ls /none; python3 -c 'print("é".encode("latin1"))'; iconv -l | grep -ci utf-8 | grep -c .; LC_NUMERIC=C printf '%.2f\n' 1.5

#### makes temporary files in every way
f=$(mktemp) && test -w "$f" && echo file; d=$(mktemp -d -t build.XXXX) && echo "${d%.*}"; mktemp -u --suffix=.log | sed 's/tmp\..*\.log/tmp.X.log/'; mktemp ./local.XXXXXX | cut -c1-8; TMPDIR=$PWD/src mktemp -d | sed 's|.*app/||; s/tmp\..*/tmp.X/'; rmdir src/tmp.*; rm local.*; echo shm > /dev/shm/x.$$ && cat /dev/shm/x.$$ && rm /dev/shm/x.$$; echo keep > /tmp/kept; df /dev/shm | wc -l; test -d /var/tmp && echo var
# -- next command
cat /tmp/kept

#### prints much and binary
seq 300000; head -c 3000000 /dev/zero | tr '\0' 'z'; echo
# -- next command
head -c 100000 /dev/zero; printf '\377\376\0\1'; cat data/raw.bin data/block.bin
# -- next command
python3 -c 'import sys
for i in range(20000): print(i); print(-i, file=sys.stderr)' 2>&1 | md5sum; yes abc | head -c 2000000 | sha256sum; yes | head -1; cat /dev/urandom | head -c 1000 | wc -c; dd if=/dev/zero bs=1M count=20 2>/dev/null | wc -c

#### splits words, quotes and expands
a=(one "two words" '' "three's"); printf '<%s>' "${a[@]}"; echo; echo "${#a[@]} ${a[@]:1:2} ${!a[*]}"; declare -A m=([k]=v ["a b"]=c); for k in "${!m[@]}"; do echo "$k=${m[$k]}"; done | sort; s=path/to/file.tar.gz; echo "${s##*/} ${s%%.*} ${s/to/from} ${s^^} ${s: -6} ${#s} ${s//[aeiou]/_}"; echo ${unset:-default} ${s:+set}; : "${req:?is required}"; echo "status $?"; IFS=: read -ra parts <<< a:b:c; echo "${parts[1]}"; mapfile -t lines < data/sales.csv; echo "${#lines[@]} ${lines[2]}"; printf -v z '%03d' 7; echo $z; echo {a..c}{1,2} $((1+1)) ~ | sed "s|$HOME|~|"; [[ abc123 =~ ^([a-z]+)([0-9]+)$ ]] && echo "${BASH_REMATCH[@]:1}"; shopt -s extglob; echo "${s//+([a-z])/x}"; echo "$-" | grep -c B; set -- x "y z"; echo "$# $2 $*"; case $s in *.gz) echo gz ;;& path*) echo path ;; esac

#### loads variables of a file in the usual ways
printf '# comment\nA=1\nB=two\n\nC=x=y\n' > vars.conf; export $(grep -v '^#' vars.conf | xargs); echo "$A $B $C"; unset A B C; set -a; source vars.conf; set +a; env | grep -E '^[ABC]=' | sort; env -i $(cat vars.conf | xargs) sh -c 'echo $B' 2>&1 | tail -1; while IFS='=' read -r k v; do [[ $k =~ ^[A-Z]+$ ]] && declare "$k=$v-d"; done < vars.conf; echo $A; printenv B; env -u B printenv B; echo "status $?"; A=inline sh -c 'echo $A'; echo ${A}

#### has errors in script files, in bash -c and in eval
printf 'echo before\nif then\necho after\n' > bad.sh; bash bad.sh; echo "status $?"; sh bad.sh; echo "status $?"; bash -c 'echo one; for do'; echo "status $?"; eval 'echo "unclosed'; echo "status $?"; bash -c 'echo x' extra args; source bad.sh; echo "status $?"; . ./missing.sh; echo "status $?"; bash missing.sh; echo "status $?"; ./missing.sh; echo "status $?"; bash -c "$(printf 'echo a\n)')"; echo "status $?"; python3 -c 'if'; echo "status $?"; node -e 'if' 2>&1 | grep -c SyntaxError; awk 'BEGIN {'; echo "status $?"; sed 's/x' README.md; echo "status $?"; jq '.[' README.md 2>/dev/null; echo "status $?"; grep '[' README.md; echo "status $?"; find . -nope; echo "status $?"

#### takes interrupts of its own
(trap 'echo int; exit 130' INT; kill -INT $BASHPID; echo never); echo "status $?"; bash -c 'kill -INT $$'; echo "status $?"; bash -c 'trap "" INT; kill -INT $$; echo survived'; bash -c 'trap "echo bye" EXIT; kill -TERM $$' 2>/dev/null; echo "status $?"; bash -c 'trap "echo term; exit 5" TERM; (sleep 0.2; kill -TERM $$) & sleep 3 & wait'; echo "status $?"; sh -c 'kill -PIPE $$'; echo "status $?"; yes | true; echo "${PIPESTATUS[0]}"; seq 100000 | head -1; timeout -s INT 0.3 bash -c 'trap "echo caught; exit 3" INT; sleep 5 & wait'; echo "status $?"

#### measures resource limits and priorities
ulimit -S -n 64 && bash -c 'exec {a}<README.md; ulimit -n'; (ulimit -f 1; head -c 100000 /dev/zero > big; echo "status $?"); ls -l big | awk '{ print $5 }'; rm big; (ulimit -t 1; bash -c 'while :; do :; done'; echo "status $?"); (ulimit -v 200000; python3 -c 'x = "a" * 10**9' 2>&1 | tail -1); nice -n 10 nice; ulimit -c; (ulimit -u 100 && echo procs); ulimit -s | grep -cE '[0-9]|unlimited'; prlimit --nofile=50:50 sh -c 'ulimit -n'; chrt -p $$ | head -1 | cut -d: -f2

