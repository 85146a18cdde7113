# Git as agents use it in several steps, with tools that run from it.
# project: git
# ignore: hashes times

#### commits each file by itself in a loop
for f in alpha beta gamma; do echo "$f" > "src/$f.txt"; git add "src/$f.txt"; git commit -qm "Add $f"; done
git log --oneline -4 --format=%s
# -- next command
git log --stat --format='%an <%ae> %s' -3 | cat

#### rebases a feature branch and runs checks in between
git switch -q feature/login && git rebase main; echo "status $?"; git status --short; git diff --name-only --diff-filter=U
# -- next command
sed -i -e '/^<<<<<<</d' -e '/^=======$/d' -e '/^>>>>>>>/d' -e '/^THREE$/d' src/list.txt && git add src/list.txt && GIT_EDITOR=true git rebase --continue && git log --oneline --format=%s -3

#### keeps a rebase in progress over several commands
git switch -q feature/login; git rebase main >/dev/null 2>&1; test -d .git/rebase-merge && echo in progress
# -- next command
git status | head -5; cat .git/rebase-merge/head-name; git rebase --show-current-patch | head -3 | tail -1
# -- next command
git checkout --theirs src/list.txt && git add -A && git -c core.editor=true rebase --continue && git branch --show-current

#### edits the todo list of a rebase by a script
git switch -q -c topic && for i in 1 2 3; do echo $i > n$i; git add n$i; git commit -qm "step $i"; done
cat > /tmp/todo.sh <<'E'
#!/bin/sh
sed -i -e '2s/^pick/fixup/' -e '3s/^pick/reword/' "$1"
E
chmod +x /tmp/todo.sh
GIT_SEQUENCE_EDITOR=/tmp/todo.sh GIT_EDITOR='sed -i s/step/part/' git rebase -i HEAD~3 && git log --format=%s -3 && git show --stat --format=%s HEAD~1

#### finds the bad commit by a script in the project
cat > check.sh <<'E'
#!/bin/sh
node -e 'import("./src/mul.js").then(m => process.exit(m.mul(2, 3) === 6 ? 0 : 1), () => process.exit(125))'
E
chmod +x check.sh
echo '{"type":"module"}' > package.json
git bisect start HEAD v0.1.0 && git bisect run ./check.sh | tail -4; git bisect reset -q; git status --short

#### works in two worktrees at once
git worktree add -q .worktrees/login feature/login && (cd .worktrees/login && echo done > done.txt && git add . && git commit -qm 'Finish login') && git log --format=%s -1 feature/login; git worktree list | wc -l
# -- next command
cd .worktrees/login && git status -sb && git rev-parse --git-dir | sed 's|.*/.git|.git|' && git worktree list --porcelain | grep ^branch
# -- next command
git worktree remove .worktrees/login && git branch -D feature/login && git worktree prune -v

#### adds, updates and shows a submodule
git -c protocol.file.allow=always submodule add -q ../library vendor/library && git commit -qm 'Add library' && git submodule status | cut -c2-8,42- && cat .gitmodules
# -- next command
(cd vendor/library && git checkout -q -b change && echo 'export const extra = 2' >> index.js && GIT_AUTHOR_DATE=2026-04-01T00:00:00Z GIT_COMMITTER_DATE=2026-04-01T00:00:00Z git commit -qam 'More' && git log --oneline --format=%s) ; git diff --submodule=log; git submodule foreach --quiet 'git rev-parse --abbrev-ref HEAD'
# -- next command
git add vendor/library && git commit -qm 'Update library' && git submodule summary HEAD~1 | grep -c '>' ; git ls-tree HEAD vendor/ | cut -d' ' -f1,2

#### stashes, switches, pops over a conflict
echo mine >> README.md; git stash push -m wip -q; sed -i 's/^See docs.*/Other/' README.md; echo theirs >> README.md; git commit -qam 'Other end'; git stash pop; echo "status $?"; git checkout --ours README.md 2>&1; git stash list; git stash drop -q; git status --short

#### keeps an index apart from the work tree
echo staged >> src/add.js; git add src/add.js; echo unstaged >> src/add.js; git stash -q --keep-index; git diff --cached --stat; git diff --stat; git stash pop -q; git diff --cached | tail -1; git diff | tail -1

#### stages a hunk by applying a patch to the index
sed -i -e '1s/one/ONE/' -e '10s/ten/TEN/' src/list.txt; git diff -U0 src/list.txt | sed -n '1,/^@@ -10/p' | sed '$d' > /tmp/first.patch; git apply --cached --unidiff-zero /tmp/first.patch && git diff --cached --stat && git commit -qm 'First only' && git diff --stat

#### writes a commit with body, trailers and co-author
echo a > a; git add a; git commit -q -F - <<'E'
feat(core): add a thing

This explains why. It has `code` and "quotes" and $HOME.

Co-authored-by: Bot <bot@example.com>
Signed-off-by: Ada Example <ada@example.com>
E
git log -1 --format='%B---%(trailers:key=Co-authored-by,valueonly)'; git interpret-trailers --parse < <(git log -1 --format=%B)

#### commits though the person's settings would sign
printf '[commit]\n\tgpgsign = true\n[user]\n\tsigningkey = ABCDEF\n' > /tmp/x; git config --list --show-origin | grep -c gpgsign; echo b > b; git add b; git commit -qm 'Unsigned' && git log -1 --format='%G? %s'

#### uses its own author and dates
echo c > c && git add c && GIT_AUTHOR_NAME=Bot GIT_AUTHOR_EMAIL=bot@x GIT_AUTHOR_DATE='2026-01-02T03:04:05Z' GIT_COMMITTER_DATE='2026-01-02T03:04:05Z' git commit -qm Dated && git log -1 --format='%an %ae %ad %cn' --date=iso-strict; git -c user.name=X -c user.email=x@y commit -q --allow-empty -m Empty; git log -1 --format='%an %cn'

#### shows what changed since a tag for a change log
git log v0.1.0..HEAD --no-merges --pretty='- %s (%h)' | sed 's/ (.*//'; git shortlog -sn v0.1.0..HEAD; git diff --stat v0.1.0 HEAD; git diff --name-status v0.1.0..; git rev-list --count HEAD; git describe --tags --long | cut -d- -f1,2

#### undoes things in several ways
echo x >> README.md; git checkout -- README.md; git status --short; echo y > new; git add new; git reset -q new; git status --short; git clean -fq; git reset -q --hard HEAD~1; git log -1 --format=%s; git reset -q --hard ORIG_HEAD; git log -1 --format=%s; git reflog -3 --format='%gd %gs'

#### renames files and follows them
git mv src/list.txt src/items.txt && git commit -qm Rename && git log --follow --oneline --format=%s src/items.txt; git diff -M HEAD~1 --summary; git log --diff-filter=R --name-status --format=%s | cat

#### ignores, forces and shows why
echo 'secret*' >> .git/info/exclude; touch secret1 app.log; git status --short --ignored; git check-ignore -v secret1 app.log | cut -f1 | cut -d: -f2-; git add -f app.log && git status --short

#### merges by octopus, squash and with a message
git branch a; git branch b; git switch -q a; echo a > fa; git add fa; git commit -qm a; git switch -q b; echo b > fb; git add fb; git commit -qm b; git switch -q main; git merge -q a b -m 'Both'; git log -1 --format='%s %p' | wc -w; git merge --squash fix/typo; git commit -qm 'Squashed'; git log --format=%s -2; git branch --merged | tr -d ' *'; git branch --no-merged

#### resolves a conflict by a script and continues the merge
git merge feature/login; echo "status $?"; git ls-files -u | wc -l; git diff | head -20; git show :1:src/list.txt | sed -n 3p; git show :2:src/list.txt | sed -n 3p; git show :3:src/list.txt | sed -n 3p
# -- next command
python3 - <<'E'
import re
p = 'src/list.txt'
s = open(p).read()
s = re.sub(r'<<<<<<< .*?\n(.*?)=======\n(.*?)>>>>>>> .*?\n', r'\2', s, flags=re.S)
open(p, 'w').write(s)
E
git add -A && git commit -q --no-edit && git log -1 --format=%s && sed -n 3p src/list.txt

#### makes a patch series, mails it to itself and applies it
git switch -qc series; for i in 1 2; do echo $i >> src/list.txt; git commit -qam "Line $i"; done; git format-patch -q -2 --cover-letter -o /tmp/out; ls /tmp/out; git switch -q main; git am -q /tmp/out/000[12]*; git log --format=%s -2; git range-diff series~2..series HEAD~2..HEAD | sed 's/[0-9a-f]\{7\}/H/g'

#### cherry-picks with a note of its origin and aborts
git cherry-pick -x fix/typo >/dev/null && git log -1 --format=%b | cut -c1-26; git cherry-pick feature/login; echo "status $?"; git cherry-pick --abort; git status --short; git cherry -v main feature/login | cut -c1,43-

#### looks at objects and refs
git cat-file -p HEAD:README.md | head -1; git cat-file -t HEAD^{tree}; git ls-files -s | awk '{ print $1, $4 }'; git for-each-ref --format='%(refname:short) %(objecttype)' ; git show-ref --heads | cut -d' ' -f2; git rev-parse --show-toplevel | sed 's|.*/||'; git rev-parse --is-inside-work-tree --abbrev-ref HEAD; git symbolic-ref HEAD; git name-rev --name-only HEAD; git merge-base --is-ancestor v0.1.0 HEAD && echo ancestor; git count-objects | cut -d' ' -f2; git var GIT_AUTHOR_IDENT | cut -d'<' -f1

#### pushes to a bare repository it makes and clones it
git init -q --bare /tmp/mirror.git && git push -q /tmp/mirror.git main:main v0.2.0 && git ls-remote /tmp/mirror.git | cut -f2; git clone -q /tmp/mirror.git /tmp/copy -b main && ls /tmp/copy
# -- next command
(cd /tmp/copy && echo z > z && git add z && git commit -qm 'From copy' && git push -q) && git fetch -q /tmp/mirror.git main && git log --format=%s -1 FETCH_HEAD

#### clones shallow, deepens and unshallows
git clone -q --depth 1 "file://$PWD" /tmp/shallow && cd /tmp/shallow && git rev-list --count HEAD; git fetch -q --deepen 1; git rev-list --count HEAD; git fetch -q --unshallow; git rev-list --count HEAD; git rev-parse --is-shallow-repository

#### pulls what others pushed, by rebase and by merge
git clone -q ../remote.git /tmp/mate && (cd /tmp/mate && echo m > m && git add m && git commit -qm Mate && git log -1 --format=%s); git pull -q --rebase && git log --format=%s -2; git status -sb | head -1; git pull --ff-only; git log origin/main..HEAD --format=%s

#### configures the repository for the day
git config core.autocrlf input && git config --local pull.rebase true && git config --get pull.rebase; git config --unset pull.rebase; git config --get pull.rebase; echo "status $?"; git config user.name; git config --get-regexp '^branch\.' ; git config --local --list | grep -c =; git config init.defaultBranch

#### runs the hooks that a hook manager keeps in the tree
mkdir -p .githooks && printf '#!/bin/sh\necho "pre-commit ran"\nnode --check src/add.js 2>/dev/null || true\n' > .githooks/pre-commit && printf '#!/bin/sh\ngrep -qE "^(feat|fix): " "$1" || { echo "bad message" >&2; exit 1; }\n' > .githooks/commit-msg && chmod +x .githooks/*; echo q > q; git add q; git -c core.hooksPath=.githooks commit -qm 'no type'; echo "status $?"; git -c core.hooksPath=.githooks commit -qm 'feat: typed'; git log -1 --format=%s

#### searches the history for a string and a function
git log -S'a * b' --format=%s -- src; git log -G'return' --format=%s | head -3; git log -L1,3:src/mul.js --format=%s | head -12; git grep -n 'return' HEAD -- '*.js' | cut -d: -f2-; git grep -c return; git blame -s -L1,2 src/add.js | cut -d')' -f2-; git log --author=Ada --since=2026-03-03 --until=2026-03-04T23:00 --format=%s --all

#### compares words, functions and whitespace
sed -i 's/return a + b/return  a  +  b/' src/add.js; git diff -w --stat; git diff --word-diff=plain src/add.js | tail -3; git diff --check; echo 'trail  ' >> src/add.js; git diff --check; echo "status $?"; git diff --numstat; git diff --shortstat; git diff --exit-code >/dev/null; echo "status $?"; git diff --no-index README.md src/add.js | head -2; git diff --color=always src/add.js | head -1 | od -c | head -1

#### uses attributes, text conversion and export-ignore
printf '*.txt text eol=lf\nREADME.md export-ignore\n*.bin binary\n' > .gitattributes; git check-attr -a src/list.txt; git add .gitattributes; git commit -qm attr; git archive HEAD | tar t | head -5; printf 'a\r\n' > w.txt; git add w.txt 2>&1; git ls-files --eol w.txt

#### splits the last commit in two
echo 1 > one; echo 2 > two; git add .; git commit -qm 'Both'; git reset -q HEAD^; git add one; git commit -qm 'One'; git add two; git commit -qm 'Two'; git log --name-only --format=%s -2

#### makes a sparse checkout and a partial one
git sparse-checkout set docs && ls; git sparse-checkout list; git sparse-checkout disable && ls

#### signs a tag by nothing and verifies
git tag -a v1.0.0 -m 'Release 1' && git tag -n1 -l 'v*' && git verify-tag v1.0.0; echo "status $?"; git show v1.0.0 --stat --format=%s | head -3; git tag -d v1.0.0 | cut -d' ' -f1-3; git tag --sort=-creatordate

#### keeps large and binary files in history
head -c 300000 /dev/zero | tr '\0' 'a' > big.bin; printf '\0\1\2' >> big.bin; git add big.bin; git commit -qm Big; git diff HEAD~1 --stat; git cat-file -s HEAD:big.bin; git rev-list --objects --all | grep -c big.bin; git gc -q; git fsck 2>&1 | tail -1; git count-objects -v | grep ^packs

#### recovers a deleted branch and a dropped stash
git branch -D feature/login -q; git branch --list 'feature/*'; git branch feature/login "$(git reflog --all --format='%H %gs' | awk '/feature\/login/ { print $1; exit }')" 2>/dev/null || git fsck --lost-found 2>/dev/null | wc -l; echo s > README.md; git stash -q; s=$(git rev-parse stash@{0}); git stash drop -q; git stash apply -q "$s" && cat README.md
