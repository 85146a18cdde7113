# More of git's day: history, patches, modules, hooks, plumbing.
# project: git
# needs: git
# ignore: hashes times

#### reorders and squashes commits by a scripted editor
git config rerere.enabled false
for i in 1 2 3; do echo "$i" > "f$i" && git add "f$i" && git commit -qm "Add f$i"; done
GIT_SEQUENCE_EDITOR="sed -i -e '2s/pick/squash/' -e '3s/pick/fixup/'" GIT_EDITOR=true git rebase -i HEAD~3
git log -2 --format='%s%n%b' --name-only

#### edits a message by a scripted editor script
cat > /tmp/editor.sh <<'S'
#!/bin/sh
sed -i '1s/.*/Reworded subject/' "$1"
S
chmod +x /tmp/editor.sh
GIT_SEQUENCE_EDITOR="sed -i 's/^pick/reword/'" GIT_EDITOR=/tmp/editor.sh git rebase -i HEAD~1
git log -1 --format=%s

#### runs a command at every commit of a rebase
git rebase -i HEAD~2 --exec 'ls src | wc -l' 2>&1 | grep -v '^Rebasing\|^Successfully' ; git status -sb | head -1

#### rebases onto another base
git checkout -q -b topic v0.1.0 && echo t > topic.txt && git add . && git commit -qm Topic && git rebase --onto main v0.1.0 topic && git log --oneline | head -2

#### cherry-picks with a conflict and continues
git checkout -q feature/login
git cherry-pick main~1 || git status --short
printf 'resolved\n' > src/list.txt; git add -A; git -c core.editor=true cherry-pick --continue; git log -1 --format=%s

#### cherry-picks a range and aborts one
git switch -q -c pick v0.1.0 && git cherry-pick v0.1.0..main >/dev/null && git log --oneline | wc -l
git cherry-pick feature/login; git cherry-pick --abort; git status -s | wc -l

#### bisects by an inline script
cat > /tmp/check.sh <<'S'
#!/bin/bash
[ ! -f src/mul.js ] || exit 1
S
chmod +x /tmp/check.sh
git bisect start main v0.1.0 && git bisect run /tmp/check.sh >/tmp/bisect.log 2>&1; grep 'first bad commit' /tmp/bisect.log | cut -d' ' -f2-; git bisect log | grep -c '^git bisect'; git bisect reset >/dev/null 2>&1; git branch --show-current

#### bisects by hand
git bisect start; git bisect bad; git bisect good v0.1.0; git bisect good; git bisect reset

#### asks before it makes a worktree beside the project
# expect: workspace denied /paths\.writable/
# expect: developer held /cordon approve/
git worktree add ../hotfix -b hotfix v0.1.0 2>&1 | tail -1; ls ../hotfix

#### locks, moves and prunes worktrees
git worktree add -q wt/one -b one && git worktree lock wt/one && git worktree remove wt/one; git worktree unlock wt/one && git worktree move wt/one wt/two && ls wt && rm -rf wt/two && git worktree prune -v && git worktree list | wc -l

#### updates and removes a submodule
git -c protocol.file.allow=always submodule add ../library lib 2>&1 | tail -1
git commit -qm 'Add lib' && git submodule foreach --quiet 'echo $name' && git -c protocol.file.allow=always submodule update --init --recursive && git submodule deinit -f lib && git rm -qf lib && git status --short

#### clones with submodules
git -c protocol.file.allow=always submodule add -q ../library lib && git commit -qm lib && git -c protocol.file.allow=always clone -q --recurse-submodules . /tmp/full && ls /tmp/full/lib

#### moves, forces and signs off tags
git tag release && git tag -f release HEAD~1 && git tag -n1 -l && git for-each-ref --format='%(refname:short) %(objecttype)' refs/tags && git show -s --format=%s v0.2.0^{commit} && git tag --sort=-creatordate | head -1

#### blames lines, ignoring whitespace, and by porcelain
git blame -L 2,4 -w --date=short src/list.txt | cut -c1-60; git blame --line-porcelain src/list.txt | grep -c '^author '; git log -L3,3:src/list.txt --oneline -s

#### formats the history in many ways
git log --pretty=format:'%H %an %ad %s' --date=iso -2; echo; git log --graph --decorate --all --oneline | wc -l; git log --since=2026-03-02 --until=2026-03-04T23:00:00 --format=%s; git log --author=nobody; git log --grep=add -i --format=%s; git log --stat -1 --format= ; git log --numstat -1 --format=; git log --name-status -1 --format=; git log -p -1 --format= -- src/mul.js

#### uses the project's own hooks directory
mkdir -p .githooks && printf '#!/bin/sh\necho "project hook: $1" >&2\n' > .githooks/commit-msg && chmod +x .githooks/commit-msg && git -c core.hooksPath=.githooks commit -q --allow-empty -m hooked; git log -1 --format=%s

#### applies patches with options
git diff v0.1.0 main > all.patch; git switch -q -c patched v0.1.0; git apply --stat all.patch; git apply --numstat all.patch | wc -l; git apply --index all.patch && git status --short && git commit -qm Applied && git diff main --stat; git apply all.patch; echo "status $?"

#### applies a patch by patch
git diff v0.1.0 main > /tmp/all.patch; git switch -q -c patched v0.1.0; patch -p1 --dry-run < /tmp/all.patch; patch -p1 < /tmp/all.patch && git status --short && patch -R -p1 -s < /tmp/all.patch && git status --short

#### applies a series of mails
git format-patch -q -o /tmp/series v0.1.0..main && ls /tmp/series && git switch -q -c mailed v0.1.0 && git am /tmp/series/*.patch && git log --oneline | wc -l && git am --show-current-patch; echo "status $?"

#### rejects a patch that does not apply
printf -- '--- a/src/list.txt\n+++ b/src/list.txt\n@@ -1,2 +1,2 @@\n-nothing like it\n+new\n two\n' > bad.patch; git apply bad.patch; echo "status $?"; git apply --reject bad.patch; echo "status $?"; patch -p1 --forward < bad.patch; echo "status $?"; ls src

#### has no LFS
git lfs version; echo "status $?"; git lfs ls-files 2>&1 | tail -3

#### checks a part out
git sparse-checkout init --cone && git sparse-checkout set src && ls && git sparse-checkout list && git sparse-checkout disable && ls

#### clones without a checkout and checks a part out
git clone -q --no-checkout "file://$PWD/.git" /tmp/partial 2>&1; cd /tmp/partial && git sparse-checkout set docs 2>/dev/null; git ls-tree --name-only HEAD

#### cleans everything ignored and untracked
mkdir -p build/x node_modules/y && touch build/x/o node_modules/y/i a.log new.txt && git clean -fdxn && git clean -fdx && ls -A

#### lists and reads the configuration
git config --list --show-scope | grep -v '^system' | cut -f1 | sort -u; git config --get-regexp '^user'; git config --get-all remote.origin.fetch; git config --type=bool core.bare; git config no.such; echo "status $?"; git config --local core.ignorecase false && git config --unset core.ignorecase; git config alias.last 'log -1 --format=%s' && git last

#### appends, shows and copies notes
git notes add -m one HEAD && git notes append -m two HEAD && git notes show HEAD && git notes list | wc -l && git log -1 --format='%s%n%N' && git notes remove HEAD

#### finds lost commits by the reflog
git commit -q --allow-empty -m lost && git reset -q --hard HEAD~1 && git reflog -3 --format=%gs && git cherry-pick --allow-empty 'HEAD@{1}' && git log -1 --format=%s && git reflog show main | wc -l && git fsck --lost-found 2>/dev/null | wc -l

#### archives with a prefix
git archive --format=tar.gz --prefix=app-0.2/ -o app.tar.gz v0.2.0 && tar tzf app.tar.gz && git archive HEAD docs src | tar -x -C /tmp && ls /tmp/src; git archive --format=zip HEAD > app.zip && unzip -l app.zip | tail -1 | awk '{ print $2 }'

#### bundles and clones a bundle
git bundle create app.bundle main --tags 2>/dev/null && git bundle verify app.bundle 2>&1 | head -1 && git clone -q -b main app.bundle /tmp/from-bundle && git -C /tmp/from-bundle log --oneline | wc -l && git bundle list-heads app.bundle | cut -d' ' -f2

#### counts authors
git shortlog -sne --all; git shortlog --format=%s HEAD~2.. ; git log --format='%an' | sort | uniq -c | sort -rn | head -1; git rev-list --count --all; git log --format=%ad --date=format:%Y-%m | sort | uniq -c

#### shows objects
git cat-file -t HEAD && git cat-file -p HEAD^{tree} && git ls-tree -r --name-only HEAD && git cat-file -s HEAD:README.md && echo hello | git hash-object --stdin && git rev-parse --short HEAD | wc -c && echo hi | git hash-object -w --stdin | xargs git cat-file blob && git ls-files -s | head -2

#### builds a commit from parts
tree=$(git write-tree) && commit=$(echo plumbing | git commit-tree "$tree" -p HEAD) && git update-ref refs/heads/plumbed "$commit" && git log -1 --format='%s %P' plumbed && git symbolic-ref HEAD && git show-ref --heads | wc -l && git branch -D plumbed

#### keeps a patch of staged changes only
echo a >> README.md && git add README.md && echo b >> src/list.txt && git stash push --staged -m staged 2>&1 && git status --short && git stash list && git stash pop -q && git stash push --keep-index -q; git stash show --stat; git stash drop -q; git status --short

#### stashes by path and makes a branch of it
echo a >> README.md; echo b >> src/list.txt; git stash push -m half src/list.txt; git status --short; git stash branch from-stash; git branch --show-current; git status --short; git stash list

#### fails to pop a stash over a conflict
echo one >> README.md && git stash -q && echo two >> README.md && git commit -qam two && git stash pop; echo "status $?"; git checkout --ours README.md 2>&1; git reset -q --hard; git stash drop -q; git stash list

#### asks before all stashes are dropped
# expect: both held /cordon approve/
git stash clear

#### compares in many ways
echo 'a word changed' >> README.md; git diff --word-diff | tail -2; git diff --shortstat; git diff --quiet; echo "status $?"; git diff --exit-code --name-status; echo "status $?"; git diff HEAD~1 -- '*.js' | head -5; git diff --check; git diff --no-index README.md src/list.txt | head -3; git range-diff main~1..main main~1..main; git diff --dirstat v0.1.0

#### searches by git grep
git grep -c return; git grep -l 'export' -- 'src/*.js'; git grep -n -e add --and -e return; git grep -w two v0.1.0; git grep -q nothing; echo "status $?"; git grep -P '\breturn\s+a' | head -2; git grep --heading --break -n function

#### resolves by a strategy
git merge -X ours feature/login -m 'Merge by ours' && git log --oneline --merges | wc -l && git show --format=%p -s HEAD | wc -w && git merge-base --is-ancestor feature/login HEAD && echo contained; git diff HEAD~1 --stat

#### merges without a commit and by three ways
git merge --no-commit --no-ff fix/typo; git diff --cached --stat; git merge --abort; git merge-tree --write-tree main feature/login | tail -1; git merge --ff-only fix/typo; echo "status $?"

#### splits a commit in two
git reset -q HEAD~1 && git add -N . && git add src/mul.js && git commit -qm 'First half' && echo x >> src/sub.js && git commit -qam 'Second half' && git log --oneline -2

#### restores and finds deleted files
git rm -q src/sub.js && git commit -qm 'Remove sub' && git log --diff-filter=D --name-only --format=%s -1 && git checkout HEAD~1 -- src/sub.js && git restore --source=v0.1.0 --staged --worktree src && git status --short

#### ignores and un-tracks a file
touch secret.log keep.txt && echo '!important.log' >> .gitignore && touch important.log && git add -A && git status --short && git rm -q --cached src/list.txt && git status --short && git update-index --assume-unchanged README.md && echo x >> README.md && git status --short && git ls-files -v | grep '^h'; echo '*.bak' >> .git/info/exclude; touch a.bak; git status --short

#### asks before it rewrites history by filter-branch
# expect: both held /cordon approve/
FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --msg-filter 'sed "s/^/[app] /"' HEAD~1..HEAD

#### describes versions
git describe; git describe --always --dirty; echo x >> README.md; git describe --tags --long --dirty; git name-rev --name-only HEAD; git rev-parse --abbrev-ref HEAD; git rev-parse HEAD~1 | wc -c; git rev-parse --git-dir --show-prefix --is-bare-repository; cd src && git rev-parse --show-cdup; git rev-parse bad-ref; echo "status $?"

#### works from a directory below and from outside
cd src && git status -s && git log --oneline -- . | wc -l && echo z > z.js && git add . && cd /tmp && git -C "$OLDPWD" status -s && git --git-dir="$OLDPWD/../.git" --work-tree="$OLDPWD/.." log -1 --format=%s; cd / && git status; echo "status $?"

#### is told of a repository that is none
mkdir -p /tmp/none && cd /tmp/none && git status; echo "status $?"; git log 2>&1; git init -q -b trunk && git log; echo "status $?"; git branch --show-current

#### makes an orphan branch
git switch -q --orphan pages && ls; echo '<p>hi</p>' > index.html && git add . && git commit -qm Pages && git log --oneline | wc -l && git switch -q main && ls

#### shows a branch overview
git branch -vv | cut -c1-30; git branch -r; git branch --merged; git branch --no-merged main; git branch --sort=-committerdate --format='%(refname:short)'; git branch -f moved HEAD~1 && git rev-list --left-right --count main...moved; git branch --contains HEAD~1; git show-branch | tail -2

#### commits with trailers, dates and another author
GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' git commit -q --allow-empty --date='2026-01-01T00:00:00Z' --author='Robin <robin@example.com>' -s -m 'Trailing' --trailer 'Reviewed-by: Sam <sam@example.com>' && git log -1 --format='%an %ad%n%B' --date=iso && git interpret-trailers --parse < <(git log -1 --format=%B)

#### commits from a file and from standard input
printf 'From a file\n\nBody.\n' > /tmp/msg && git commit -q --allow-empty -F /tmp/msg && echo 'From stdin' | git commit -q --allow-empty -F - && git log -2 --format=%B; git commit --allow-empty --allow-empty-message -m '' -q; git log -1 --format='[%s]'; git commit --amend -q -C HEAD~1; git log -1 --format=%s

#### uses the template and verbose of a commit
printf 'Template\n' > .gitmessage && GIT_EDITOR='cat' git -c commit.template=.gitmessage commit --allow-empty; echo "status $?"; GIT_EDITOR="printf 'From the editor\n' >" git commit -q --allow-empty && git log -1 --format=%s

#### counts changed lines and churn
git log --format= --numstat | awk '{ a += $1; d += $2 } END { print a, d }'; git log --format= --name-only | sort | uniq -c | sort -rn | head -3; git diff --stat v0.1.0 HEAD | tail -1; git ls-files | xargs wc -l | tail -1; git ls-files -z | xargs -0 -n1 basename | sort | head -3

#### initialises a repository, a bare remote and pushes nothing
git init -q --bare /tmp/r.git && git init -q /tmp/w && cd /tmp/w && echo a > a && git add a && git commit -qm a && git remote add origin /tmp/r.git && git remote show -n origin | head -3 && git ls-remote /tmp/r.git | wc -l && git remote get-url origin

#### looks at the remote
git remote -v; git ls-remote --heads origin | cut -f2; git fetch --all --prune --tags 2>&1 | head -3; git remote show origin | head -3; git log --oneline HEAD..@{u}; git status -sb; git rev-list --left-right --count HEAD...@{u}; git pull --ff-only 2>&1 | tail -2; git branch -vv | grep '^\*' | cut -c1-20

#### explains what it would do
git add --dry-run README.md; touch n; git add -n .; git commit --dry-run --short; git rm -n src/add.js; git mv -n src/add.js x.js; git push --dry-run origin main 2>&1 | head -1; git fetch --dry-run; git gc --auto; git count-objects -v | head -1

#### shows a diff of binary files
head -c 100 /dev/zero > bin.dat && git add bin.dat && git commit -qm bin && printf '\1' >> bin.dat && git diff --stat && git diff && git diff --binary | head -3 && git check-attr -a bin.dat

#### handles odd names
mkdir -p 'a dir' && echo 1 > 'a dir/sp ace.txt' && echo 2 > ünï.txt && echo 3 > $'new\nline' && git add -A && git status --short && git -c core.quotePath=false status --short && git commit -qm odd && git ls-files -z | tr '\0' '|' && git mv 'a dir/sp ace.txt' plain.txt && git rm -q $'new\nline' && git status --short

#### keeps modes and links
printf '#!/bin/sh\n' > run.sh && chmod +x run.sh && ln -s README.md link && git add -A && git ls-files -s run.sh link | cut -d' ' -f1 && chmod -x run.sh && git diff --summary run.sh; git diff run.sh | head -3; git update-index --chmod=+x run.sh

#### switches off its pager
git --no-pager log --oneline -1; GIT_PAGER=cat git log --oneline -1; git -P diff HEAD~1 --stat; PAGER=less git log -1 --format=%s; git -c color.ui=always log -1 --oneline | cat -v | cut -c1-8; git help -a >/dev/null && git --version | cut -d' ' -f1,2; git --exec-path >/dev/null && echo found

#### helps with a typo
git stauts; echo "status $?"; git checkout no-such-branch; echo "status $?"; git commit -x; echo "status $?"; git log no..such; echo "status $?"; git add missing.txt; echo "status $?"; git merge nothing; echo "status $?"; git rebase nowhere; echo "status $?"; git show HEAD:nope; echo "status $?"
