# Searching and editing text: grep, sed, awk, jq, diff, patch, sort.
# project: files

#### searches the sources for a word
# subset: yes
grep -rn 'TODO' src README.md

#### searches with options agents use
grep -rnE --include='*.py' 'def (main|helper)' . | sort; grep -c '' README.md; grep -il todo -r src | sort; grep -L TODO src/*.* ; grep -o 'item[s]*' data/package.json; grep -q nothing README.md; echo "status $?"

#### searches a missing file
grep foo missing.txt; echo "status $?"

#### shows context around matches
grep -n -B1 -A1 ERROR logs/app.log; grep -v INFO logs/app.log | head -2; grep -w 'old' docs/guide.md; grep -P '^\w+ \d?' logs/app.log -m1

#### replaces in place
# subset: yes
sed -i 's/old name/new name/g' docs/guide.md && cat docs/guide.md

#### replaces in many files at once
# subset: yes
grep -rl 'TODO' src | xargs sed -i 's/TODO/DONE/' && grep -rn DONE src | sort

#### edits in place with a backup
sed -i.bak -e '/^server/,/port/s/8080/9090/' -e '$a extra: 1' config/app.yaml && diff config/app.yaml.bak config/app.yaml; ls config

#### inserts, deletes and prints lines by number
sed -n '2,4p' README.md; sed '1d;$d' README.md; sed -i '3i inserted' README.md; sed -n '3p;3q' README.md; sed -i '/Usage/a after usage' README.md; tail -2 README.md

#### edits a symlink's target in place
sed -i 's/Handbook/Manual/' link.md; ls -l link.md | cut -c1; head -1 README.md; sed -i --follow-symlinks 's/Handbook/Manual/' README.md; head -1 README.md

#### sums with awk
# subset: yes
awk -F, 'NR > 1 { sum[$2] += $3 } END { for (k in sum) printf "%s %.2f\n", k, sum[k] }' data/sales.csv | sort; awk '{ print $1 }' logs/access.log | sort | uniq -c | sort -rn | head -2

#### reads a log with a pipeline
# subset: yes
cat logs/access.log | awk '$6 == 500 { print $5 }' | sort | uniq -c | sort -rn | head -5

#### queries JSON
# needs: jq
jq -r '.items[] | select(.tags | length > 0) | .id' data/package.json; jq '.version = "2.0.0"' data/package.json > tmp.json && mv tmp.json data/package.json && jq -c . data/package.json; jq -e '.missing' data/package.json; echo "status $?"

#### builds JSON from the shell
# needs: jq
jq -n --arg name 'a "b"' --argjson n 3 '{name: $name, list: [range($n)]}'; ls src | jq -R . | jq -s -c .; echo 'not json' | jq .; echo "status $?"

#### compares and patches files
# subset: yes
cp README.md new.md && sed -i 's/Run/Just run/' new.md && diff -u --label a/README.md --label b/README.md README.md new.md > fix.patch; echo "status $?"; patch -p1 < fix.patch && cat README.md && patch -R -p1 < fix.patch

#### applies a patch from a here-document
# needs: patch
patch -p0 <<'P'
--- src/main.py
+++ src/main.py
@@ -1,5 +1,6 @@
 import os
+import sys
 
 # TODO: use pathlib
 def main():
P
head -3 src/main.py

#### reports a patch that does not fit
# needs: patch
printf -- '--- a/README.md\n+++ b/README.md\n@@ -1,1 +1,1 @@\n-nothing like it\n+x\n' | patch -p1 --dry-run; echo "status $?"

#### compares directories
cp -r src src2 && echo x >> src2/main.py && touch src2/new && diff -rq src src2; cmp README.md docs/guide.md; comm -12 <(sort README.md) <(sort docs/guide.md)

#### sorts, cuts, joins and pastes
sort -t, -k3 -n data/sales.csv | tail -2; cut -d, -f1,3 data/sales.csv | head -2; paste -sd+ <(seq 4) | bc 2>/dev/null || echo 10; tr a-z A-Z < docs/guide.md; rev <<<abc; seq 3 | tac; join <(printf '1 a\n2 b\n') <(printf '1 x\n2 y\n'); nl README.md | head -2

#### counts lines, words and bytes
wc README.md docs/guide.md; wc -l < logs/access.log; find . -name '*.py' -exec wc -l {} + | sort

#### heads and tails
head -n 2 logs/app.log; tail -n 2 logs/app.log; tail -n +4 logs/app.log; head -c 5 README.md; echo; seq 100 | sed -n '10,12p'; seq 10 | head -n -8

#### writes files with here-documents
# subset: yes
mkdir -p app/models && cat > app/models/user.py <<'PY'
class User:
    """A user with 'quotes' and "quotes" and $dollars."""

    def __init__(self, name: str) -> None:
        self.name = name
PY
cat > app/__init__.py < /dev/null && cat app/models/user.py && wc -c app/models/user.py

#### appends and writes as tee does
echo one | tee a.txt; echo two | tee -a a.txt > /dev/null; cat a.txt; printf '%s\n' {1..3} >> a.txt; wc -l a.txt

#### converts line endings and encodings
file docs/windows.txt | cut -d: -f1; sed -i 's/\r$//' docs/windows.txt && grep -c $'\r' docs/windows.txt; iconv -f utf-8 -t iso-8859-1 docs/ümläut.txt -o latin.txt && wc -c latin.txt; tr -d '\r' < docs/windows.txt | head -c 3 | xxd

#### hashes and encodes
sha256sum README.md; md5sum < docs/guide.md; echo -n secret | base64; echo c2VjcmV0 | base64 -d; echo; xxd -p data/raw.bin; od -An -tx1 data/raw.bin; cksum README.md

#### prints columns
column -t -s, data/sales.csv 2>/dev/null || cat data/sales.csv; fold -w 20 README.md | head -3; printf 'a\tb\n' | expand -t 4; fmt -w 30 docs/guide.md

#### generates text
seq -s, 1 5; yes ok | head -3; printf 'line %d\n' {1..3}; date -u -d @0 +%F; cal 1 2026 2>/dev/null | head -1 >/dev/null; printf '%s' {a..e}; echo; expr 3 \* 4; echo $((16#ff))

#### splits and joins files
seq 1000 > n.txt && split -l 300 n.txt part_ && ls part_* && cat part_* | cmp - n.txt && echo equal; csplit -s README.md '/^## /' '{*}' && ls xx*

#### replaces with perl over lines
perl -0pi -e 's/## Install\n.*?\n/## Install\nNothing.\n/' README.md && cat README.md; perl -ne 'print if /ERROR/' logs/app.log; perl -lane 'print $F[-1]' logs/access.log | head -2

#### edits YAML and INI by hand
sed -i 's/^debug: .*/debug: false/' config/app.yaml && awk '/^debug/ { print $2 }' config/app.yaml; sed -n '/^\[core\]/,/^\[/p' config/app.ini; awk -F' = ' '$1 == "retries" { print $2 }' config/app.ini

#### edits with ed and ex
# needs: ed
printf '%s\n' '1s/Handbook/Guide/' w q | ed -s README.md; head -1 README.md

#### searches for fixed strings and special characters
printf 'a.b\na+b\n$HOME\n[x]\n\\n\n' > special.txt; grep -F 'a.b' special.txt; grep -n '\$HOME' special.txt; grep -F '[x]' special.txt; grep '\\n' special.txt; sed 's/[].*[]/_/g' special.txt

#### filters unique lines and shows duplicates
printf 'b\na\nb\nc\na\n' | sort | uniq -d; printf 'b\na\nb\n' | awk '!seen[$0]++'; sort -u data/sales.csv | wc -l; sort -V <<< $'v1.10\nv1.2'; shuf -i 1-5 | sort -n | tr '\n' ' '

#### works with large text
# subset: yes
seq 1 200000 > big.txt && wc -l big.txt && grep -c 7 big.txt && sort -rn big.txt | head -1 && awk '{ s += $1 } END { print s }' big.txt && rm big.txt

#### runs sed scripts from a file
printf 's/TODO/LATER/\n/^$/d\n' > edit.sed && sed -f edit.sed README.md; printf '{ print NR": "$0 }\n' > number.awk && awk -f number.awk docs/guide.md

#### templates by envsubst or sed
# needs: envsubst
export NAME=Ada; echo 'Hello $NAME, ${OTHER}' | envsubst '$NAME'; sed "s|{{name}}|$NAME|" <<< 'Hi {{name}}'
