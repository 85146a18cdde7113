# The shell itself: options, loops, functions, traps, exit statuses, here-documents.
# project: files

#### stops at the first failure under set -e
# subset: yes
set -euo pipefail
echo before
cat missing.txt | head -1
echo after

#### stops at an unset variable
set -u
echo "${HOME:+home is set}"
echo "$NOT_SET_ANYWHERE"

#### gives every exit status from 1 to 255
# subset: yes
for code in 1 2 3 64 100 123 124 125 126 127 128 130 137 139 143 255; do (exit "$code"); printf '%s ' "$?"; done; echo

#### ends with status 1
exit 1

#### ends with status 2
exit 2

#### ends with status 42 after writing a file
echo kept > kept.txt; exit 42

#### ends with status 100
exit 100

#### ends with status 123 of its own
exit 123

#### ends with status 124 of its own
exit 124

#### ends with status 125 of its own
exit 125

#### ends with status 126 of its own
# subset: yes
exit 126

#### ends with status 127 of its own
exit 127

#### ends with status 130 of its own
exit 130

#### ends with status 255
exit 255

#### ends with a status above 255
exit 300

#### fails with false
false

#### names a command that does not exist
# subset: yes
no-such-program --version

#### names a file that cannot be executed
./README.md

#### names a directory as a command
./src

#### runs a script that is missing
# subset: yes
bash missing.sh

#### reports a syntax error
# subset: yes
if true; then echo yes

#### runs the lines before a syntax error
echo first
for x in 1 2 3; do echo $x; donee

#### reports an unclosed quote
echo "unclosed

#### dies by its own abort signal
# subset: yes
kill -ABRT $$

#### dies by its own termination signal
kill -TERM $$

#### dies by its own kill signal
kill -9 $$

#### dies by a segmentation fault
kill -SEGV $$

#### dies by a hangup
kill -HUP $$

#### dies by an interrupt of its own
kill -INT $$; sleep 1; echo not reached

#### sees a child die by a signal
# ignore: pids
bash -c 'kill -KILL $$'; echo "status $?"; sh -c 'kill -SEGV $$'; echo "status $?"

#### traps exit and signals
# subset: yes
cleanup() { echo "cleanup with $?"; rm -f lock; }
trap cleanup EXIT
trap 'echo caught; exit 9' USR1
touch lock
kill -USR1 $$
echo not reached

#### traps errors with the line number
trap 'echo "failed at line $LINENO: $BASH_COMMAND"' ERR
true
false
(exit 3)
echo end

#### handles a termination in a loop
trap 'echo stopping; exit 0' TERM
(sleep 0.3; kill -TERM $$) &
while :; do sleep 0.1; done

#### waits for background jobs and their statuses
# subset: yes
(sleep 0.2; exit 3) & first=$!
(exit 4) & second=$!
wait $first; echo "first $?"
wait $second; echo "second $?"
wait; echo "all $?"

#### waits for any job
(sleep 0.1; exit 5) & (sleep 3; exit 6) & wait -n; echo "$?"; kill %2; wait 2>/dev/null; echo done

#### expands here-documents and leaves quoted ones alone
# subset: yes
name=world
cat <<EOF1
hello $name $(echo sub) $((1 + 2)) \$escaped `echo old`
EOF1
cat <<'EOF2'
hello $name $(echo sub) $((1 + 2))
EOF2
cat <<-EOF3
	tabs are gone
	EOF3
cat <<<"string $name"

#### writes a script by a here-document and runs it
# subset: yes
cat > run.sh <<'SCRIPT'
#!/usr/bin/env bash
set -e
for arg in "$@"; do
  echo "<$arg>"
done
SCRIPT
chmod +x run.sh
./run.sh 'a b' c "*"
bash run.sh $(seq 3)

#### nests here-documents and functions
make_config() {
  local name=$1
  cat <<CONF
[$name]
$(while read -r key value; do echo "  $key = ${value^^}"; done <<PAIRS
one first
two second
PAIRS
)
CONF
}
make_config alpha | tee config/alpha.ini

#### loops over files with odd names
for file in docs/*; do [ -f "$file" ] && printf '%s: %s\n' "$file" "$(wc -c < "$file")"; done
shopt -s nullglob dotglob; for f in *nothing*; do echo "$f"; done; echo *.md .h*

#### reads a file line by line
# subset: yes
n=0
while IFS=, read -r id name amount || [ -n "$id" ]; do
  ((n++)) || true
  [ "$id" = id ] && continue
  printf '%-8s %6.2f\n' "$name" "$amount"
done < data/sales.csv
echo "$n lines"

#### computes with arrays and associative arrays
declare -A count
while read -r line; do count[$line]=$(( ${count[$line]:-0} + 1 )); done < <(cut -d, -f2 data/sales.csv)
for key in $(printf '%s\n' "${!count[@]}" | sort); do echo "$key=${count[$key]}"; done
list=(a b 'c d'); list+=(e); echo "${#list[@]} ${list[@]: -2} ${list[*]/#/-}"

#### manipulates strings by expansion
path=/a/b/file.tar.gz; echo "${path##*/} ${path%.*} ${path%%.*} ${path/b/B} ${#path} ${path:3:1} ${path^^}"
printf '%q ' 'a b' "it's" $'tab\t'; echo; printf '%05d|%-5s|%x\n' 42 ab 255

#### branches by case, test and arithmetic
for word in start stop 12 file.txt ''; do
  case $word in
    start | stop) echo command ;;
    *[!0-9]*) [[ $word =~ ^(.+)\.(.+)$ ]] && echo "${BASH_REMATCH[2]}" || echo other ;;
    '') echo empty ;;
    *) printf '%03d\n' "$word" ;;
  esac
done

#### uses process substitution
# subset: yes
diff <(sort data/sales.csv) <(sort -r data/sales.csv) && echo same
paste <(seq 3) <(printf 'a\nb\nc\n')
echo logged > >(tee copy.txt >/dev/null); wait; sleep 0.2; cat copy.txt

#### redirects both streams and swaps them
ls README.md missing > out.txt 2> err.txt; cat out.txt err.txt
{ echo out; echo err >&2; } 2>&1 | sort
(echo to-stderr 1>&2) 2>/dev/null; echo only >&2

#### keeps the order of stdout and stderr in one pipe
# subset: yes
{ for i in 1 2 3; do echo "out $i"; echo "err $i" >&2; done; } 2>&1

#### opens file descriptors of its own
exec 3> log.txt; echo line >&3; exec 3>&-; exec 4< log.txt; read -r line <&4; echo "$line"; exec 5<>log.txt; echo x >&5; cat log.txt

#### changes directories along a chain
# subset: yes
cd src && cd lib && pwd | sed 's|.*/app|app|' && cd - >/dev/null && cd .. && ls | head -3; pushd docs >/dev/null; ls | wc -l; popd | wc -l

#### makes a directory and works in it
# subset: yes
mkdir -p build/out && cd build/out && touch a b && ls && cd ../.. && find build -type f | sort

#### fails to change into a missing directory
cd no-such-directory && echo in; echo "status $?"; cd no-such-directory || exit 1

#### goes into a directory that a variable names
dir=src/lib; (cd "$dir" && ls); cd "$(dirname "$dir")" && ls; cd "$OLDPWD" && ls -d src

#### starts again in the project in the next command
cd docs && pwd | sed 's|.*/||'
# -- next command
pwd | sed 's|.*/||'

#### prefixes commands with variables
FOO=bar BAZ='q x' bash -c 'echo "$FOO $BAZ"'; FOO=bar; echo "$FOO"; export FOO; env | grep ^FOO; env -i X=1 /usr/bin/env; env -u FOO bash -c 'echo "${FOO-unset}"'

#### evaluates and sources
printf 'GREETING=hi\ngreet() { echo "$GREETING $1"; }\n' > lib.sh && . ./lib.sh && greet you; eval "echo \$GREETING"; source lib.sh; type -t greet

#### runs subshells, groups and command substitutions
x=1; (x=2; echo $x); echo $x; { x=3; }; echo $x; echo "$(echo "$(echo deep)")" `echo tick`; y=$(cat missing 2>&1); echo "$? $y"

#### tells the pipeline's statuses
false | true | (exit 3); echo "${PIPESTATUS[@]}"; set -o pipefail; false | true; echo $?

#### sets a mask and a limit
# subset: yes
umask 077; touch private; stat -c %a private; umask 022; mkdir open; stat -c %a open; ulimit -n 64; ulimit -n; ulimit -c 0

#### hits a limit of the file size
( ulimit -f 1; head -c 10000 /dev/zero > big.bin ); echo "status $?"; stat -c %s big.bin

#### stops a command by a time limit
timeout 0.3 sleep 5; echo "status $?"; timeout -s KILL 0.3 sleep 5; echo "status $?"; timeout 5 true; echo "status $?"

#### measures and repeats
# ignore: times
time sleep 0.1; SECONDS=0; sleep 1; echo $SECONDS

#### reads the arguments and options of a function
parse() { local OPTIND flag; while getopts 'ab:' flag; do echo "$flag=${OPTARG-}"; done; shift $((OPTIND - 1)); echo "rest: $*"; }
parse -a -b value rest1 rest2; set -- x y z; shift; echo "$# $1"

#### prints without a newline and with escapes
printf 'no newline'; echo; echo -e 'tab\there'; echo -n end; printf '\a\e[31mred\e[0m\n'

#### answers questions from standard input
# stdin: yes\nAda\n
read -r -p 'Continue? ' answer; read -r name; echo "$answer $name"; read -r more || echo 'no more'

#### finds its standard input empty
cat | wc -c; read -r x; echo "status $?"; [ -t 0 ] && echo terminal || echo 'no terminal'; [ -t 1 ] && echo terminal || echo 'no terminal'

#### traces what it runs
set -x; x=1; [ "$x" = 1 ] && echo yes; { set +x; } 2>/dev/null; echo quiet

#### shows its options and its name
echo "$0 $- $# $BASHPID" | sed 's/ [0-9]*$//'; shopt -q login_shell && echo login || echo 'not login'; echo "$SHELL $TERM $TMPDIR"

#### uses coprocesses
coproc CAT { cat; }; echo hello >&"${CAT[1]}"; read -r line <&"${CAT[0]}"; echo "$line"; kill "$CAT_PID"; wait 2>/dev/null; true

#### uses a named pipe
mkfifo pipe; (echo through > pipe) & cat pipe; wait; rm pipe

#### locks by a file
exec 9> lock; flock -n 9 && echo got; (flock -n 8 || echo busy) 8< lock; flock lock -c true 2>/dev/null & sleep 0.1; kill $! 2>/dev/null; true

#### runs itself again by name
cat > rec.sh <<'R'
#!/bin/bash
[ "$1" -le 0 ] && { echo bottom; exit 0; }
"$0" $(($1 - 1))
R
chmod +x rec.sh && ./rec.sh 4

#### runs a script without an interpreter line
printf 'echo "plain $1"\n' > plain && chmod +x plain && ./plain a; printf '#!/no/such/interpreter\n' > bad && chmod +x bad; ./bad; echo "status $?"

#### uses sh and its idioms
sh -c 'set -e; test -f README.md; : "${X:=default}"; echo $X; command -v ls >/dev/null && echo found'; sh <<'S'
i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; echo $i
S

#### runs perl and awk one-liners
perl -e 'print join(",", map { $_ * 2 } 1..5), "\n"'; awk 'BEGIN { for (i = 1; i <= 3; i++) printf "%d ", i^2; print "" }'; perl -i -pe 's/old/new/g' docs/guide.md; cat docs/guide.md

#### chooses by and-or lists
true && echo a || echo b; false && echo a || echo b; ! false && echo c; test -f nope || { echo creating; touch nope; }; [ -f nope ] && rm nope

#### uses select with no answer and a menu
select x in one two; do echo "got $x"; break; done < <(echo 2) 2>/dev/null

#### prints a usage and fails
printf '#!/bin/bash\necho "starting ${1:?usage: start ENV}"\n' > bin/start.sh && chmod +x bin/start.sh; bin/start.sh; echo "status $?"; bin/start.sh prod

#### runs a script that deploys by its name and only prints
bin/deploy.sh prod

#### keeps a variable out of a pipeline's subshell
count=0; seq 3 | while read -r _; do count=$((count + 1)); done; echo $count; shopt -s lastpipe; seq 3 | while read -r _; do count=$((count + 1)); done; echo $count

#### runs a very long command line
/bin/echo $(seq 1 20000) | wc -w; seq 1 20000 | xargs -n 5000 | wc -l; printf '%s\n' {1..5000} | tail -1

#### checks a script before running it
bash -n bin/deploy.sh && echo fine; echo 'if' > broken.sh; bash -n broken.sh; echo "status $?"

#### lists what is available
for tool in git awk sed tar; do command -v $tool >/dev/null && echo "$tool yes"; done; which sh >/dev/null && type cd | head -1; hash -r; compgen -b | head -2

#### reads history and aliases without effect
history | wc -l; alias | wc -l; set -o | grep -c 'on$'; help cd >/dev/null && echo help
