# Files and directories: copying, finding, archives, links, modes, odd names.
# project: files

#### lists files, hidden ones too
# subset: yes
ls; ls -A; ls -1 docs; ls -d .*; ls -R src

#### lists files in full
# ignore: times
ls -la src bin | awk '{ print $1, $2, $5, $9 }' | grep -v total; stat -c '%A %n %F' bin/args lib dangling src

#### creates, copies, moves and removes
# subset: yes
mkdir -p new/deep/tree && touch new/deep/tree/{a,b,c}.txt && cp -r new copy && mv copy/deep/tree/a.txt copy/renamed && rm -r new && find copy | sort

#### copies with attributes
cp -a src src-copy && cp -p bin/args args2 && stat -c '%a' args2 && diff -r src src-copy && cp -rL lib lib-copy && cp link.md plain.md && test ! -L plain.md && echo followed; cp -P link.md l2 && readlink l2

#### copies onto a missing directory and fails
# subset: yes
cp README.md no/such/dir/; echo "status $?"; cp missing x; echo "status $?"; mv missing y; echo "status $?"; rm missing; echo "status $?"; rmdir src; echo "status $?"; mkdir src; echo "status $?"

#### removes a directory tree
rm -rf logs && rm -f missing && ls -d logs; echo "status $?"

#### finds by name, type, size and time
# subset: yes
find . -name '*.py' -o -name '*.js' | sort; find . -type l | sort; find . -size +3k -type f; find . -empty | sort; find src -maxdepth 1 -mindepth 1 | sort; find . -newer README.md -name nothing

#### finds and executes
# subset: yes
find src -name '*.py' -exec grep -l TODO {} \; | sort; find . -name '*.py' -exec sed -i 's/TODO/NOTE/' {} + ; grep -rc NOTE src --include='*.py' | sort; find . -name '*.bak' -delete; find docs -type f -exec basename {} \; | sort

#### finds and deletes
mkdir -p a/__pycache__ b/__pycache__ && touch a/__pycache__/x.pyc && find . -name __pycache__ -type d -prune -exec rm -rf {} + && find . -name '*.pyc' | wc -l && find . -type d -empty -delete; ls

#### prints by formats of find
find src -type f -printf '%P %s %m\n' | sort; find . -path ./src -prune -o -name '*.md' -print | sort; find . \( -name '*.md' -a -not -name README.md \) | sort

#### runs xargs in several ways
ls src/*.py src/lib/* | xargs -I{} echo file {}; printf 'a b\nc\n' | xargs -n1; seq 6 | xargs -P2 -n3 echo | sort; printf '' | xargs -r echo never; echo missing | xargs cat; echo "status $?"; seq 3 | xargs -I% sh -c 'echo $((% * 2))'

#### makes and reads a tar archive
# subset: yes
tar -czf src.tgz src && tar -tzf src.tgz | sort && mkdir out && tar -xzf src.tgz -C out --strip-components=1 && ls out && tar -cf - docs | tar -xf - -C out && ls out/docs

#### makes archives of other kinds
tar --exclude='*.py' -cJf a.txz src 2>/dev/null && tar -tf a.txz | sort; gzip -k README.md && zcat README.md.gz | head -1 && gunzip -c README.md.gz | cmp - README.md && bzip2 -k docs/guide.md 2>/dev/null; ls docs | head -2

#### makes and reads a zip archive
# needs: zip unzip
zip -qr a.zip src config && unzip -l a.zip | awk '{ print $4 }' | grep / | sort && unzip -q a.zip -d unzipped && diff -r src unzipped/src && echo equal; unzip -p a.zip config/app.ini | head -1; unzip -qo missing.zip; echo "status $?"; rm a.zip

#### keeps modes and links in archives
# subset: yes
tar -cpf all.tar bin lib dangling && mkdir x && tar -xpf all.tar -C x && stat -c '%a %n' x/bin/* && readlink x/lib x/dangling

#### makes symlinks and hard links
# subset: yes
ln -s ../README.md docs/readme-link && ln README.md hard.md && stat -c %h hard.md && readlink -f docs/readme-link | sed 's|.*/app|app|' && cat docs/readme-link | head -1 && ln -sfn docs current && ls current/ | wc -l && rm current && test -d docs && echo kept; ln -s a a; cat a; echo "status $?"

#### reads through dangling links
cat dangling; echo "status $?"; test -e dangling || echo dangling; test -L dangling && echo link; echo made > dangling; cat missing; realpath -e lib | sed 's|.*/app|app|'

#### changes modes
# subset: yes
chmod 755 README.md && stat -c %a README.md; chmod -x bin/args; bin/args; echo "status $?"; chmod u=rw,go= config/app.ini && stat -c %a config/app.ini; chmod -R go-rwx docs && find docs -type d -exec stat -c '%a' {} +; chmod +x src/main.py; ls -l src/main.py | cut -c1-10

#### makes read-only files and directories
chmod 444 README.md && rm -f README.md && test ! -e README.md && echo gone; cp docs/guide.md g && chmod 400 g && cat g && mv g h && stat -c %a h; mkdir ro && touch ro/x && chmod 555 ro && ls ro; chmod 755 ro && rm -r ro; echo done

#### sets special mode bits
mkdir shared && chmod 1777 shared && stat -c %a shared; chmod +t src && stat -c %A src; chmod -t src; chmod a-s bin/args && stat -c %a bin/args

#### asks before a file gets its owner's rights
# expect: both held /cordon approve/
cp /bin/true own && chmod u+s own

#### changes times
# subset: yes
touch -d '2020-01-02 03:04:05 UTC' old.txt && stat -c %Y old.txt && touch -r old.txt README.md && test ! README.md -nt old.txt && echo 'not newer'; touch -t 202101010000 src/main.py; find . -not -newermt 2021-06-01 -type f | sort

#### handles names with spaces, quotes and dashes
# subset: yes
cat "docs/with space/a file.txt" docs/it\'s.txt ./-dash -- -dash; mv 'docs/it'"'"'s.txt' $'docs/new\nline.txt' && ls -b docs; rm -- -dash; touch 'star*' 'a&b;c' '$HOME' '`x`' '(p)' && ls -1 | head -6; rm 'star*'; for f in *; do [ -e "$f" ] || echo "lost $f"; done

#### handles unicode names
# subset: yes
cat docs/ümläut.txt 'docs/🎉 party.md'; mkdir 日本語 && echo こんにちは > 日本語/ファイル.txt && cat 日本語/*; ls 日本語 | wc -m; mv docs/ümläut.txt docs/été.txt; find . -name '*t*.txt' | sort | tail -2

#### handles names that are not UTF-8
printf x > $'latin-\xe9.txt' && ls | grep -c latin; cat latin-*; rm latin-*

#### handles very long names and deep paths
name=$(printf 'n%.0s' {1..250}) && touch "$name" && ls | awk '{ print length($0) }' | sort -n | tail -1; mkdir -p $(printf 'd/%.0s' {1..60}) && find d -type d | wc -l; touch "$name$name" 2>&1 | tail -c 20

#### expands globs and braces
echo src/*.{py,js} docs/[g-w]*.md {1..3}{a,b} no-such-*; shopt -s globstar; echo **/*.py; shopt -s extglob; echo src/!(*.py); ls *.nothing; echo "status $?"

#### keeps what a failing command made
# subset: yes
mkdir out && echo 1 > out/a && cp missing out/; exit 2
# -- next command
ls out

#### rewrites every file of a directory
for f in src/*.py src/lib/*.py; do printf '# Copyright\n%s\n' "$(cat "$f")" > "$f.new" && mv "$f.new" "$f"; done; head -2 src/lib/helper.py

#### swaps two files and empties one
mv README.md tmp && mv docs/guide.md README.md && mv tmp docs/guide.md; head -1 README.md; : > logs/app.log; truncate -s 100 logs/access.log; wc -c logs/*

#### measures sizes
du -sb src | cut -f1; du -a --apparent-size -b docs | wc -l; stat -c %s data/block.bin; df . | wc -l; wc -c < data/block.bin; ls -s data >/dev/null && echo ok

#### writes beside the project in its own build directory
mkdir -p build && cp -r src build/ && (cd build && tar -cf ../dist.tar src) && tar -tf dist.tar | wc -l; rm dist.tar; install -m 750 -D bin/args dist/usr/bin/args && stat -c %a dist/usr/bin/args

#### makes sparse and large files
truncate -s 50M sparse.img && stat -c %s sparse.img && rm sparse.img; fallocate -x -l 1M f.img && stat -c %s f.img && rm f.img; dd if=/dev/zero of=z.img bs=1M count=20 status=none && stat -c %s z.img; rm z.img

#### writes thousands of files
# subset: yes
mkdir many && for i in $(seq 1 2000); do echo "$i" > "many/$i"; done; ls many | wc -l; cat many/* | awk '{ s += $1 } END { print s }'; rm -r many; ls -d many; echo "status $?"

#### walks the tree
# needs: tree
tree -a --noreport src

#### syncs directories
# needs: rsync
rsync -a --delete src/ mirror/ && diff -r src mirror && echo equal; rsync -an --out-format=%n docs/ mirror/ | sort | head -3

#### sees the machine's files
# subset: yes
test -r /etc/passwd && echo passwd; ls / >/dev/null && echo root; head -c 4 /bin/ls | tail -c 3; echo; test -d /usr/share && echo share; cat /etc/hostname >/dev/null && echo hostname; uname -s; id -un; test -d /proc/self && echo proc; cat /proc/sys/kernel/ostype; nproc >/dev/null && echo cpus; date +%Y >/dev/null && echo date; ls /dev/null /dev/zero /dev/urandom /dev/fd >/dev/null && echo dev

#### reads another project beside this one
# project: git
cat ../library/index.js; ls ..; git -C ../library log --oneline | wc -l; diff ../library/index.js src/add.js >/dev/null; echo "status $?"; find ../library -name '*.js' | wc -l

#### runs what it compiled to a script
echo 'echo compiled' > build.sh; bash build.sh > artefact.sh; cat artefact.sh; sh ./build.sh; . ./build.sh; chmod +x build.sh; ./build.sh; PATH="$PWD:$PATH" build.sh; env bash ./build.sh; exec ./build.sh

#### holds a writing outside the project
# expect: workspace denied /paths\.writable|cordon allow/
# expect: developer held /cordon approve/
echo x > ../outside.txt

#### refuses to write into the system
# expect: workspace denied /outside the allowed roots/
# expect: developer held /cordon approve/
echo '127.0.0.1 example' >> /etc/hosts
