# Programs of every day: search, archives, text tools, editors in batch mode, keys and sums.
# project: files
# ignore: times

#### replaces in place with a backup and by several scripts
sed -i.bak -e 's/old/new/g' -e '$a\appended' docs/guide.md && diff docs/guide.md.bak docs/guide.md; sed -n '2,3p;/stays/=' docs/guide.md; sed -i '/^$/d' README.md && cat README.md; sed -E 's/([0-9]+)\.([0-9]+)/\2.\1/' data/sales.csv; sed '1!G;h;$!d' data/sales.csv

#### edits by ed
# needs: ed
printf '1i\nfirst\n.\n$d\nw\nq\n' | ed -s docs/guide.md; cat docs/guide.md; ed -s docs/guide.md <<'E'
,s/old/ancient/g
w
q
E
cat docs/guide.md

#### edits by ex and vim in batch mode
# needs: vim
vim -es -u NONE -N -c '%s/old/new/g' -c 'wq' docs/guide.md; echo "status $?"; cat docs/guide.md; printf '%%s/TODO/DONE/\nx\n' | ex -s README.md; cat README.md; vim -Nu NONE -es -c 'normal Goadded' -c 'x' config/app.ini; tail -1 config/app.ini

#### edits by perl
perl -pi -e 's/\bold\b/new/g' docs/guide.md && perl -0pi -e 's/\n\n+/\n/g' README.md && perl -ne 'print if /TODO/../write/' README.md && perl -F, -lane '$t += $F[2] if $. > 1; END { printf "%.2f\n", $t }' data/sales.csv; perl -MJSON::PP -e 'print JSON::PP->new->canonical->encode(decode_json(join "", <>)->{items}), "\n"' data/package.json; perl -i.orig -lpe '$_ = uc' config/app.ini; ls config

#### queries JSON
# needs: jq
jq . data/package.json | head -5; jq -r '.items[] | "\(.id): \(.tags | join("+"))"' data/package.json; jq -c '[.items[].id] | add' data/package.json; jq '.version = "2.0.0"' data/package.json > t.json && mv t.json data/package.json && jq -e .missing data/package.json; echo "status $?"; echo '{bad' | jq .; echo "status $?"; jq -n --arg a "x y" --argjson n 3 '{$a, $n, e: env.HOME|type}'; jq -s 'length' data/package.json data/package.json; jq -R 'split(",")' data/sales.csv | head -3; seq 3 | jq -s add; jq -r 'keys_unsorted|@csv' data/package.json; jq --tab . <<< '{"a":1}'

#### computes tables by awk
awk -F, 'NR > 1 { s[$2] += $3; n[$2]++ } END { for (k in s) printf "%s %.2f %d\n", k, s[k], n[k] | "sort" }' data/sales.csv; awk '{ print $NF, NF }' logs/access.log | head -2; awk -v max=900 '$NF > max { print NR": "$0 }' logs/access.log; awk 'BEGIN { while (("ls docs" | getline l) > 0) n++; print n }'; awk '/ERROR/ { c++; print > "errors.txt" } END { print c }' logs/app.log; cat errors.txt; awk 'BEGIN { printf "%c%s\n", 65, toupper("b"); exit 3 }'; echo "status $?"; awk -f - data/sales.csv <<'A'
FNR == 1 { FS = ","; next }
{ print length($2) }
A

#### searches by grep in every way
grep -rn 'TODO' . --include='*.py' --include='*.md'; grep -rlZ TODO . | sort -z | xargs -0 ls; grep -c ERROR logs/*.log; grep -A1 -B1 -n ERROR logs/app.log; grep -oE '[0-9]+\.[0-9]+' data/sales.csv | paste -sd+ | bc; grep -vE '^(INFO|WARN)' logs/app.log; grep -q nothing README.md; echo "status $?"; grep x missing; echo "status $?"; grep -rn --exclude-dir=docs --color=never old .; grep -P '^\S+\s-' logs/access.log | wc -l; grep -F '[core]' config/app.ini; grep -L TODO src/*.js; grep -m1 -w name config/app.ini data/sales.csv; grep -i error -h logs/*.log | sort -u; grep -nr --binary-files=without-match hidden .; grep -z . data/raw.bin | wc -c

#### finds by every test
find . -type f -newer README.md | wc -l; find . -name '*.py' -exec wc -l {} +; find . -type f -exec sh -c 'echo "$(basename "$1")"' _ {} \; | sort | head -3; find . -maxdepth 1 -type l -printf '%f -> %l\n' | sort; find . -empty | sort; find . -size +3k; find . -perm -u+x -type f | sort; find docs -name '* *' -print0 | xargs -0 -I{} echo '<{}>'; find . \( -name '*.js' -o -name '*.py' \) -not -path './src/lib/*' | sort; find . -xtype l; find src -type d -mindepth 1; find . -iname 'readme*' -mmin -6000 | head -1; find . -regex '.*\.\(csv\|json\)' | sort; find nowhere; echo "status $?"; find . -type f -name '*.log' -delete; ls logs; find docs -type f -name '*.md' -exec grep -l old {} \; ; find . -type f -printf '%s %p\n' | sort -n | tail -1; find . -path ./docs -prune -o -type f -print | wc -l; find . -name '*.txt' -execdir echo {} \; | sort

#### runs by xargs
printf '%s\n' a b c | xargs -I{} echo "item {}"; seq 8 | xargs -n3 echo; seq 4 | xargs -P2 -n1 sh -c 'sleep 0.1; echo "$0"' | sort; echo 'a b' | xargs -t echo 2>&1; printf 'x y\0z' | xargs -0 -n1 printf '[%s]\n'; xargs -a data/sales.csv -d '\n' -L2 echo | head -2; true | xargs -r echo none; seq 3 | xargs -I% sh -c 'exit %'; echo "status $?"; echo missing | xargs ls; echo "status $?"; find . -name '*.js' | xargs grep -l hi; ls | xargs -n1 -I{} test -d {} ; echo "status $?"; echo 1 | xargs no-such-command; echo "status $?"

#### packs and unpacks archives
tar -czf /tmp/all.tgz --exclude='*.bin' . && tar -tzf /tmp/all.tgz | sort | head -4; mkdir out && tar -xzf /tmp/all.tgz -C out --strip-components=1 && ls out | head -3; tar cf - src | tar xf - -C out && diff -r src out/src && echo same; tar -cJf s.tar.xz src && tar -xJOf s.tar.xz src/api.js; tar -rf more.tar README.md && tar -uf more.tar docs/guide.md && tar -tvf more.tar | awk '{ print $1, $NF }'; tar -tf missing.tar; echo "status $?"; tar --version | head -1 | cut -d' ' -f1,2; cp -a docs /tmp/docs && tar -C /tmp -cjf d.tar.bz2 docs && tar -tjf d.tar.bz2 | wc -l; tar -df more.tar && echo unchanged

#### zips and unzips
# needs: zip unzip
zip -rq all.zip src docs && unzip -l all.zip | tail -1 | awk '{ print $2 }' && unzip -qo all.zip -d unpacked && diff -r src unpacked/src && unzip -p all.zip src/api.js && zip -d all.zip src/api.js && unzip -t all.zip | tail -1; python3 -m zipfile -l all.zip | wc -l; zip -q j.zip -j docs/guide.md && unzip -Z1 j.zip; unzip nothing.zip; echo "status $?"; rm all.zip j.zip

#### compresses single files
gzip -k data/block.bin && gzip -l data/block.bin.gz | tail -1 | awk '{ print $2 }'; gunzip -c data/block.bin.gz | cmp - data/block.bin && zcat data/block.bin.gz | wc -c; echo text | gzip | gzip -dc; xz -k data/block.bin && xz -dc data/block.bin.xz | wc -c; bzip2 -k README.md && bzcat README.md.bz2 | head -1; gzip -d README.md; echo "status $?"; zgrep -c x data/block.bin.gz; command -v zstd >/dev/null && zstd -q -k docs/guide.md && zstdcat docs/guide.md.zst; rm -f docs/*.zst

#### compares files and directories
cp -r src src2 && sed -i 's/hi/ho/' src2/lib/index.js && touch src2/new; diff -rq src src2; diff -u src/lib/index.js src2/lib/index.js | tail -n +3; diff -y --width=60 src/lib/index.js src2/lib/index.js; cmp src/lib/index.js src2/lib/index.js; echo "status $?"; diff -rN -u0 src src2 | grep '^[+-]' | grep -v '^+++\|^---'; comm -12 <(sort README.md) <(sort docs/guide.md); diff --brief README.md README.md; echo "status $?"; diff3 README.md README.md docs/guide.md | head -2; sdiff -s docs/guide.md docs/guide.md; diff <(ls src) <(ls src2); diff README.md nope; echo "status $?"

#### patches a file
cp docs/guide.md /tmp/old.md && sed -i 's/Guide/Manual/' docs/guide.md && diff -u /tmp/old.md docs/guide.md > g.patch; cp /tmp/old.md docs/guide.md && patch docs/guide.md g.patch && cat docs/guide.md && patch -N docs/guide.md g.patch; echo "status $?"; ls docs; patch -R -o - docs/guide.md g.patch 2>/dev/null | head -1; rm g.patch docs/guide.md.rej

#### hashes, encodes and dumps
md5sum README.md; sha256sum README.md docs/guide.md > sums && sha256sum -c sums && echo x >> README.md && sha256sum -c sums; echo "status $?"; sha1sum < README.md; cksum README.md; b2sum README.md | cut -c1-10; base64 data/raw.bin; base64 -w0 README.md | base64 -d | head -1; base32 <<< hi; xxd data/raw.bin; xxd -p data/raw.bin | xxd -r -p | cmp - data/raw.bin; od -An -tx1 data/raw.bin; hexdump -C data/raw.bin; printf '%s' abc | openssl dgst -sha256; strings data/block.bin | wc -c

#### makes keys and certificates in the project
# needs: openssl
mkdir certs && openssl req -x509 -newkey rsa:2048 -nodes -keyout certs/key.pem -out certs/cert.pem -days 1 -subj /CN=localhost 2>/dev/null; echo "status $?"; openssl x509 -in certs/cert.pem -noout -subject; openssl genrsa -out certs/k2.pem 2048 2>/dev/null; openssl rsa -in certs/k2.pem -check -noout 2>&1; openssl rand -hex 8 | wc -c; openssl rand -base64 32 | wc -c; echo secret | openssl enc -aes-256-cbc -pbkdf2 -pass pass:x -a | openssl enc -d -aes-256-cbc -pbkdf2 -pass pass:x -a; openssl version | cut -d' ' -f1; openssl dgst -sha256 -sign certs/key.pem -out sig README.md && openssl dgst -sha256 -verify <(openssl x509 -in certs/cert.pem -pubkey -noout) -signature sig README.md; rm -r certs sig

#### makes an ssh key in the project
# needs: ssh-keygen
ssh-keygen -q -t ed25519 -N '' -C test -f ./deploy_key && ls deploy_key* && ssh-keygen -lf deploy_key.pub | awk '{ print $1, $3, $4 }'; ssh-keygen -y -f deploy_key | cut -d' ' -f1; stat -c %a deploy_key; rm deploy_key*

#### has no key ring of gpg
# needs: gpg
gpg --list-keys 2>/dev/null; echo "status $?"; gpg --version | head -1 | cut -d' ' -f1; echo hi | gpg --batch --yes --passphrase x --pinentry-mode loopback -c -o hi.gpg 2>/dev/null && gpg --batch --passphrase x --pinentry-mode loopback -d hi.gpg 2>/dev/null; rm -f hi.gpg; gpg --print-md sha256 README.md | wc -c

#### fetches a file URL
# needs: curl
curl -s "file://$PWD/README.md" | head -1; curl -sS "file://$PWD/missing"; echo "status $?"; curl -o copy.md -s "file://$PWD/docs/guide.md" && cmp copy.md docs/guide.md && echo same; curl --version | head -1 | cut -d' ' -f1

#### sorts, joins and cuts columns
sort -t, -k3 -n data/sales.csv; sort -u -t, -k2,2 data/sales.csv; join -t, <(sort data/sales.csv) <(printf '1,red\n2,green\n'); paste -d'|' README.md docs/guide.md; cut -d, -f1,3 --output-delimiter=' ' data/sales.csv; column -s, -t data/sales.csv; tr -d '\r' < docs/windows.txt | wc -c; tr -s ' ' < logs/access.log | head -1; uniq -c <(cut -d, -f2 data/sales.csv | sort); nl -ba README.md | head -3; fold -w 10 docs/guide.md; fmt -w 20 docs/guide.md; expand -t4 <<< $'a\tb'; rev <<< abc; tac data/sales.csv | head -1; shuf -n 2 --random-source=/dev/zero data/sales.csv; split -l 2 data/sales.csv part- && ls part-*; csplit -s data/sales.csv 3 && ls xx*; head -c 5 README.md; tail -c 5 README.md; tail -n +3 data/sales.csv; pr -t -2 data/sales.csv | head -2; tsort <<< 'a b b c'; numfmt --to=iec 123456; seq -s, 5; seq -w 8 10; factor 12; expr 3 + 4; echo '2^10; scale=2; 7/3' | bc

#### changes encodings
iconv -f utf-8 -t latin1 docs/ümläut.txt | wc -c; printf 'caf\xe9\n' | iconv -f latin1 -t utf-8; file docs/windows.txt data/raw.bin 2>/dev/null | cut -d: -f1; sed -i '1s/^\xEF\xBB\xBF//' docs/windows.txt && sed -i 's/\r$//' docs/windows.txt && cat docs/windows.txt; LC_ALL=C sort <<< $'b\nB\na'; locale | head -1; LC_ALL=C.UTF-8 bash -c 'x=ümläut; echo ${#x}'; printf '\u2603 \U1F389\n'; echo '日本語' | wc -m; python3 -c 'import locale, sys; print(sys.stdout.encoding)'; LANG=de_DE.UTF-8 ls missing; locale -a | grep -c -i utf

#### shows sizes and space
du -sh data | cut -f2; du -ab data | sort -n | tail -1; du -d1 . | wc -l; df -h . | tail -1 | awk '{ print NF }'; df -P / | wc -l; df -T /tmp | wc -l; df -i . >/dev/null; echo "status $?"; ls -lhS data | awk '{ print $5, $9 }'; stat -c '%s %A %n' data/*; wc -lwc README.md docs/guide.md; ls -1 | wc -l; ls -R src; ls -ld src | cut -c1-10; file README.md; test -s data/block.bin && echo 'has bytes'; free >/dev/null && echo free; stat -f -c %T . >/dev/null && echo fs

#### tells the time
date -d '2026-03-01 +1 day' +%F; date -u -d @0 +%FT%TZ; TZ=America/New_York date -d '2026-07-01T12:00Z' '+%H %Z'; TZ=UTC date -d 'last monday' +%A; date +%s | grep -cE '^[0-9]{10}$'; date -d nonsense; echo "status $?"; touch -d '2020-01-01' old.txt && stat -c %y old.txt | cut -c1-10; find . -name old.txt -mtime +365; cal 3 2026 2>/dev/null | head -1; timeout 1 bash -c 'while :; do :; done'; echo "status $?"; python3 -c 'import datetime as d; print(d.datetime(2026, 3, 1, tzinfo=d.timezone.utc).isoformat())'; printf '%(%Y)T\n' 0

#### creates templates of text
export NAME=Ada PORT=1; echo 'Hi $NAME on ${PORT}' | envsubst; echo 'Hi $NAME' | envsubst '$PORT'; eval "cat <<T
Hello $NAME
T"; sed "s/{{name}}/$NAME/" <<< 'Dear {{name}}'; printf '%s=%s\n' A 1 B 2 > vars.sh; set -a; . ./vars.sh; set +a; env | grep -E '^[AB]='; export -p | grep -c NAME; declare -p NAME; unset NAME; echo "${NAME:-gone}"

#### prints help of many tools
for t in ls grep find tar sed git node python3 curl make gcc bash; do $t --version >/dev/null 2>&1; echo "$t $?"; done; man ls >/dev/null 2>&1; echo "man $?"; help test | head -1; type -a echo; which -a sh | head -1; whatis ls >/dev/null 2>&1; info ls >/dev/null 2>&1; command -V cd; ls --help | head -1; python3 --help | head -1

#### draws a tree without tree
find . -not -path './docs*' -print | sed -e 's;[^/]*/;|__;g;s;__|; |;g' | sort | head; ls -R docs | head; command -v tree || echo no tree; find . -maxdepth 2 -type d | sort | awk -F/ '{ printf "%*s%s\n", (NF-1)*2, "", $NF }'

#### follows a log
# needs: timeout
(for i in 1 2 3; do sleep 0.2; echo "line $i" >> logs/app.log; done) & timeout 1.5 tail -n0 -f logs/app.log; echo "status $?"; tail -f --pid=$! -n1 logs/app.log

#### uses watch, yes, nohup and stdbuf
nohup echo run > nohup.txt 2>&1; cat nohup.txt; stdbuf -oL echo line; yes n | head -2; nice -n 5 echo nice; ionice -c3 echo idle; setsid -w echo own session; time -p true; timeout --preserve-status -s INT 0.2 sleep 5; echo "status $?"; env -S 'echo split words'; taskset -c 0 echo pinned; unbuffer 2>/dev/null; flock /tmp/l echo locked; logger -s hi 2>&1 | grep -c hi; watch -n 1 -x true </dev/null >/dev/null 2>&1 & sleep 0.2; kill $!; wait $! 2>/dev/null; true

#### manages links and modes
ln -s ../README.md docs/up && readlink docs/up && realpath --relative-to=. docs/up && readlink -f docs/up | sed 's|.*/||'; ln README.md hard && stat -c %h hard; ln -sfn docs current && ls current | head -1; chmod 600 README.md; chmod u+x,g-w,o= docs/guide.md; chmod -R a+rX src; stat -c '%a %n' README.md docs/guide.md src; chmod --reference=README.md hard; cp -P link.md l2 && cp -L link.md l3 && stat -c %F l2 l3; rm dangling; unlink hard; chown "$(id -u):$(id -g)" README.md && echo owned; chmod +t src; stat -c %a src docs; install -Dm755 bin/args out/bin/args && stat -c %a out/bin/args; cp -al docs docs-hard && stat -c %h docs-hard/guide.md; test -L l2 && test ! -L l3 && echo kinds; mkdir -m 700 private && stat -c %a private; chmod 000 private; rmdir private

#### makes sparse and special files
truncate -s 1M sparse && stat -c '%s' sparse && du -k sparse | cut -f1; python3 -c 'import os; os.posix_fallocate(os.open("alloc", os.O_RDWR | os.O_CREAT), 0, 4096)' && stat -c %s alloc; mkfifo p && stat -c %F p; dd if=/dev/urandom of=r bs=1k count=4 2>/dev/null && wc -c < r; cp --sparse=always sparse s2 && cmp sparse s2; dd if=README.md of=up conv=ucase status=none && head -1 up; head -c 1M /dev/zero | split -b 300k - chunk_ && ls chunk_* | wc -l && cat chunk_* | cmp -n 1048576 - sparse; shred -u r; ls r; touch -t 202001010000 p; rm -f p sparse s2 alloc chunk_* up; mknod n p && rm n; sync sparse 2>/dev/null; true

#### copies trees and removes them
cp -r docs /tmp/d && rm -rf docs && cp -a /tmp/d docs && ls docs | wc -l; mkdir -p a/{b,c}/{d,e} && find a -type d | wc -l; mv a/b a/moved; rmdir -p a/c/d 2>&1; rm -r a/moved/d; rm a; echo "status $?"; rm -i missing </dev/null; echo "status $?"; rm -f missing; echo "status $?"; cp missing x; echo "status $?"; mv -n README.md docs/guide.md; mv -v README.md R.md; cp -u R.md README.md; cp -v --backup=numbered R.md README.md; ls README*; cp -t out R.md 2>&1 | head -1; touch -- '-f' && rm -- -f; rm ./-dash; ls -- *; mkdir exists; mkdir exists; echo "status $?"; rm -d exists; mv * /tmp 2>/dev/null; ls; mv /tmp/docs /tmp/src .; ls; rm -rf ./* && ls -A

#### prints large outputs of many kinds
seq 100000 | md5sum; seq 1 30000 | awk '{ print $1, $1 * $1 }' | tail -2; python3 -c "print('x' * 1000000)" | wc -c; base64 /dev/zero | head -c 100000 | md5sum; for i in {1..2000}; do echo "$i: $(( i * i ))"; done; head -c 500000 /dev/urandom | wc -c; find / -maxdepth 2 -name 'bin' 2>/dev/null | sort | head -2; cat /usr/share/common-licenses/GPL-3 2>/dev/null | wc -l | grep -c .

#### reads commands from a here-document in sh, python, node and awk
sh -s -- a b <<'S'
echo "$# $1 $2"
S
python3 - x <<'P'
import sys
print(sys.argv)
P
node - y <<'N'
console.log(process.argv.length)
N
bash <<'B'
set -e
echo in bash
(exit 7)
echo not reached
B
echo "status $?"
