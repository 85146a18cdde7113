# Everyday git in a repository with history, a remote beside it and an identity in the person's ~/.gitconfig.
# project: git
# needs: git
# ignore: hashes times

#### commits a change with the person's identity
# subset: yes
echo 'export const div = (a, b) => a / b' > src/div.js
git add src/div.js
git commit -m "Add division"
git log -1 --format='%an <%ae> %s'

#### commits with a message from a here-document
git add -A && git commit -q --allow-empty -m "$(cat <<'MSG'
feat: describe the change

- one point
- `code` and $HOME stay as they are

Co-Authored-By: Pat <pat@example.com>
MSG
)"
git log -1 --format=%B

#### edits, commits and shows in separate commands
# subset: yes
sed -i 's/return a \* b + 1/return a * b/' src/mul.js
# -- next command
git diff
# -- next command
git add -A && git status --short
# -- next command
git commit -m 'Fix multiplication' && git show --stat HEAD

#### amends the last commit
sed -i 's/ + 1//' src/mul.js && git commit -a --amend -m 'Add multiplication, rightly' && git log --oneline | head -3

#### commits nothing and fails
git commit -m 'nothing'; echo "status $?"

#### starts a branch, commits on it and goes back
# subset: yes
git checkout -b feature/search
printf 'export const find = () => null\n' > src/find.js
git add . && git commit -m 'Add search'
git checkout main
git branch -a
ls src

#### switches between branches with changes carried along
echo 'more' >> README.md
git switch -c wip
git switch main
git status -sb

#### refuses to switch over local changes
echo changed >> src/list.txt
git switch feature/login; echo "status $?"

#### merges a branch without conflicts
git merge --no-edit fix/typo
git log --oneline --graph | head -8

#### merges with a conflict and resolves it
# subset: yes
git merge feature/login || true
git status --short
# -- next command
grep -n '<<<<<<<\|>>>>>>>' src/list.txt
# -- next command
git checkout --theirs src/list.txt && git add src/list.txt && git commit --no-edit && git log --oneline -1

#### aborts a merge
git merge feature/login
git merge --abort && git status --short && git log --oneline | wc -l

#### rebases a branch and resolves the conflict
git switch -q feature/login
git rebase main || true
sed -i '/<<<<<<</d;/=======/,/>>>>>>>/d' src/list.txt
git add src/list.txt
GIT_EDITOR=true git rebase --continue
git log --oneline | head -3; cat src/list.txt

#### rebases onto the upstream with autosquash
echo a >> README.md && git commit -qam 'Note a' && echo b >> README.md && git commit -qa --fixup HEAD
GIT_SEQUENCE_EDITOR=: git rebase -i --autosquash HEAD~2
git log --oneline | head -2

#### drops a commit by an interactive rebase with a scripted editor
GIT_SEQUENCE_EDITOR="sed -i '1s/pick/drop/'" git rebase -i HEAD~1
git log --oneline | head -1; ls src

#### cherry-picks a commit
git cherry-pick fix/typo && cat docs/usage.md

#### reverts a commit
git revert --no-edit HEAD && git show --stat HEAD | tail -3

#### stashes, lists, applies and drops
# subset: yes
echo wip >> README.md && echo new > new.txt
git stash push -u -m 'work in progress'
git status --short; git stash list
# -- next command
git stash show -p stash@{0} | head -20
# -- next command
git stash pop && cat new.txt

#### resets one commit softly and commits again
git reset --soft HEAD~1 && git status --short && git commit -qm 'Add multiplication again' && git log --oneline -2

#### unstages a file
echo x > x.txt && git add x.txt && git reset -q x.txt && git status --short
git add x.txt && git restore --staged x.txt && git status --short

#### restores a file from the last commit
echo broken > src/add.js && git checkout -- src/add.js && cat src/add.js
rm src/sub.js && git restore src/sub.js && ls src

#### removes and renames tracked files
git mv src/add.js src/plus.js && git rm -q src/sub.js && git status --short && git commit -qm 'Rename' && git show --stat --summary -M HEAD | tail -4

#### cleans untracked files after a dry run
mkdir -p tmp/deep && touch tmp/deep/a b.tmp && git clean -nd && git clean -fdq && git status --short

#### cleans ignored files too
mkdir -p node_modules/x build && touch node_modules/x/i build/o err.log && git clean -fdXq && ls -A

#### tags a release
git tag v0.3.0 && git tag -a v0.3.1 -m 'A release' && git tag -l 'v0.3*' && git describe --tags && git tag -d v0.3.0

#### sets the identity of this repository
# subset: yes
git config user.email robot@example.com && git config user.name Robot
git commit -q --allow-empty -m robot && git log -1 --format='%an %ae'
git config --get user.email; git config --local --list | grep user

#### adds a remote and asks before one is renamed
# subset: yes
# expect: both held in 2 /cordon approve/
git remote add upstream https://git.example.com/app.git
git remote -v
# -- next command
git remote rename upstream fork && git remote

#### sets and unsets the upstream of a branch
git branch -u origin/fix/typo fix/typo
git rev-parse --abbrev-ref fix/typo@{upstream}
git branch --unset-upstream fix/typo

#### deletes a merged branch and refuses an unmerged one
# subset: yes
git merge -q --no-edit fix/typo && git branch -d fix/typo
git branch -d feature/login; echo "status $?"
git branch

#### deletes an unmerged branch by force
git branch -D feature/login && git branch

#### renames a branch
git branch -m fix/typo fix/docs && git branch --list

#### fetches from a local remote and sees what is new
# subset: yes
git fetch origin && git status -sb && git log --oneline main..origin/main

#### pulls from a local remote
git pull --no-edit && ls && git log --oneline -2

#### pulls with rebase
echo x >> README.md && git commit -qam 'Local' && git pull --rebase && git log --oneline -3

#### clones a neighbour into the workspace
# subset: yes
git clone -q ../library vendor/library && cat vendor/library/index.js && git -C vendor/library log --oneline

#### clones shallowly by a file URL
git clone -q --depth 1 --branch main "file://$(cd .. && pwd)/remote.git" build/shallow && git -C build/shallow log --oneline | wc -l

#### adds a submodule by a local path
git -c protocol.file.allow=always submodule add -q ../library vendor/library
git commit -qm 'Add the library' && git submodule status && cat .gitmodules

#### makes a worktree inside the project
git worktree add -q build/hotfix v0.1.0 && ls build/hotfix && git worktree list | wc -l
# -- next command
git worktree remove build/hotfix && git worktree list | wc -l

#### bisects with a test script
git bisect start HEAD v0.1.0 >/dev/null
git bisect run sh -c '! test -f src/mul.js' | tail -3
git bisect reset 2>&1

#### blames and searches history
git blame -s src/list.txt | head -4
git log -S 'a * b' --oneline -- src
git log --follow --format='%s' -- src/mul.js
git grep -n 'export function'

#### compares branches
git diff --stat main...feature/login
git diff --name-only main feature/login
git merge-base main feature/login | wc -c
git rev-list --count main

#### makes patches and applies them
git format-patch -1 --stdout fix/typo > typo.patch && git apply --check typo.patch && git am -q typo.patch && git log --oneline -1

#### writes a diff and applies it backwards
echo tail >> README.md && git diff > change.patch && git checkout -q README.md && git apply change.patch && git apply -R change.patch && git status --short

#### archives a tag
git archive --format=tar v0.1.0 | tar -tf -
git archive -o v1.zip HEAD src && ls v1.zip

#### starts a repository
mkdir fresh && cd fresh && git init && echo a > a && git add a && git commit -m first && git branch --show-current

#### uses the person's aliases
echo x >> README.md && git st && git lg -2

#### prints status for programs
touch new && git status --porcelain=v2 --branch && git rev-parse --show-toplevel && git rev-parse --is-inside-work-tree

#### adds part of a file by a scripted patch
sed -i '1s/.*/ONE/;10s/.*/TEN/' src/list.txt && printf 'y\nn\n' | git add -p src/list.txt >/dev/null && git diff --cached --stat && git diff --stat

#### lists ignored files
touch err.log && git check-ignore -v err.log && git status --short --ignored && git ls-files -o --exclude-standard

#### keeps the reflog and goes back by it
git reset -q --hard HEAD~1 && git reset -q --hard HEAD@{1} && git reflog | head -3

#### runs maintenance
git gc -q && git fsck && git count-objects | wc -l && git prune

#### sets attributes and a default in the repository
git config core.autocrlf false && git config --bool core.filemode true && git config pull.rebase true && git config --get pull.rebase
echo '*.txt text eol=lf' > .gitattributes && git add .gitattributes && git commit -qm attributes && git check-attr eol src/list.txt

#### squashes a branch into one commit
git merge --squash fix/typo && git commit -qm 'Squash' && git log --oneline -1 && git diff HEAD~1 --stat

#### checks out one file from another branch
git checkout feature/login -- src/login.js && git status --short && git show feature/login:src/login.js

#### counts authors and words of the history
git shortlog -sn HEAD && git log --pretty=format:'%h|%s' | awk -F'|' '{ print $2 }' | sort

#### commits inside a detached head
git checkout -q v0.1.0 && echo d > d && git add d && git commit -qm detached && git switch -q - && git branch --contains v0.1.0

#### writes notes and reads them
git notes add -m 'reviewed' && git notes show && git log -1 --format='%N'

#### skips the hook with a commit
git commit -q --no-verify --allow-empty -m 'quick' && git log -1 --format=%s

#### runs a hook the repository has
# project: hooks
echo 'console.log(1)' > a.js && git add a.js && git commit -m 'With a hook'; echo "status $?"

#### asks before it pushes
# expect: both held /cordon approve/
git push origin main

#### asks before it pushes by force
# expect: both held /cordon approve/
git commit -q --allow-empty -m x && git push --force-with-lease origin main

#### discards local changes
echo lost >> README.md
# -- next command
git reset --hard HEAD && git status --short && git log --oneline -1

#### asks before a hook is planted
# expect: workspace denied /hooks/
# expect: developer held /cordon approve/
printf '#!/bin/sh\ntrue\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit
