# Git through longer days: history, patches, stashes, archives.
# project: git
# ignore: hashes times

#### shows a graph of all branches
git log --all --oneline --graph --decorate=no | head -20; git shortlog -sn HEAD; git log --format='%an %s' --reverse | head -3

#### amends and rewords
echo more >> README.md && git commit -qam 'typo msg' && git commit -q --amend -m 'Better message' && git log -1 --format=%s && git commit -q --amend --no-edit --author='Bob <bob@example.com>' && git log -1 --format='%an %s'

#### cherry-picks a range
git switch -qc pick main~2 && git cherry-pick main~1..main && git log --oneline | wc -l && git log --format=%s -2

#### reverts a merge
git merge -q --no-ff -m 'Merge typo' fix/typo && git revert -m 1 --no-edit HEAD && git log --format=%s -2 && git status -s

#### stashes with a message and untracked files
echo a >> README.md; echo b > new.txt; git stash push -u -m 'wip all' && git stash list && git status -s; git stash show --stat -u; git stash pop && git status -s

#### stages hunks by patch input
sed -i 's/one/ONE/; s/ten/TEN/' src/list.txt && printf 'y\nn\n' | git add -p src/list.txt >/dev/null; git diff --cached --stat; git diff --stat

#### rebases interactively by a sequence editor
git switch -q fix/typo && GIT_SEQUENCE_EDITOR="sed -i '1s/pick/reword/'" GIT_EDITOR="sed -i '1s/^/Reworded: /'" git rebase -i HEAD~2 && git log --format=%s -2

#### fixups and autosquashes
echo x >> src/add.js && git commit -qa --fixup=HEAD~1 && GIT_SEQUENCE_EDITOR=: git rebase -q -i --autosquash HEAD~3 && git log --oneline | wc -l; git status -s

#### resolves a conflict with ours and theirs
git merge feature/login; git status -s; git checkout --theirs src/list.txt && git add -A && git commit --no-edit -q && git log -1 --format=%s; grep -n THREE src/list.txt

#### aborts a rebase
git switch -q feature/login && git rebase main; git rebase --abort; git status -sb | head -1

#### bisects by a script
printf '#!/bin/sh\n! test -f src/mul.js\n' > /tmp/t.sh; chmod +x /tmp/t.sh; git bisect start -q HEAD v0.1.0 && git bisect run /tmp/t.sh | grep -o 'first bad commit' ; git bisect reset -q; git status -sb | head -1

#### blames and greps history
git blame -L 1,2 --date=short -s src/list.txt | cut -d' ' -f2-; git log -S'mul' --format=%s; git log -L1,1:src/list.txt --format=%s -s | head -3; git grep -n function $(git rev-list --all | tail -1) | cut -d: -f2- | head -3

#### tags, describes and deletes tags
git tag -a v1 -m one && git describe --tags && git tag -l 'v*' -n1 && git tag -d v1 && git show-ref --tags -d | wc -l

#### cleans untracked files
touch a.tmp b.log && mkdir build2 && touch build2/x && git clean -nd && git clean -fdq && git status -s && ls *.log; git clean -fdXq; ls *.log

#### archives and bundles
git archive --format=tar --prefix=app/ HEAD | tar -t | head -5; git archive -o /tmp/a.zip HEAD && unzip -l /tmp/a.zip | tail -1 | awk '{print $2}'; git bundle create -q /tmp/b.bundle --all && git bundle verify -q /tmp/b.bundle; git clone -q /tmp/b.bundle /tmp/fromb && git -C /tmp/fromb log --oneline | wc -l; rm -rf /tmp/fromb /tmp/a.zip /tmp/b.bundle

#### formats and applies patches
git format-patch -q -2 -o /tmp/p && ls /tmp/p && git reset -q --hard HEAD~2 && git am -q /tmp/p/*.patch && git log --format=%s -2; git diff HEAD~1 > /tmp/d.patch; git apply -R /tmp/d.patch && git status -s; git apply --check /tmp/d.patch && echo ok; rm -rf /tmp/p /tmp/d.patch

#### works with a submodule
git -c protocol.file.allow=always submodule add -q ../library vendor/lib && git commit -qm 'Add library' && git submodule status | awk '{print $2}' && cat .gitmodules && git submodule foreach -q 'git log --oneline | wc -l'

#### sets attributes and checks whitespace
printf '*.js text eol=lf\n' > .gitattributes && git check-attr -a src/add.js; printf 'x  \n' >> README.md; git diff --check; echo "status $?"; git add -A; git diff --cached --name-status; git ls-files -s | wc -l; git rm -q --cached src/sub.js && git status -s

#### moves, restores and compares
git mv src/add.js src/plus.js && git status -s && git commit -qm Move && git log --follow --format=%s src/plus.js && git diff -M --stat HEAD~1; git restore --source=HEAD~1 src/add.js && git status -s; git show HEAD:README.md | head -1; git cat-file -p HEAD | tail -1

#### makes an orphan branch and an empty commit
git switch -q --orphan pages && echo '<p>' > index.html && git add -A && git commit -qm pages && git log --oneline | wc -l && git switch -q main && git commit -q --allow-empty -m empty && git log -1 --format=%s --stat

#### resets softly and keeps work
git reset --soft HEAD~1 && git status -s && git commit -qm again && git reset -q HEAD~1 && git status -s; git stash -q -u; git reset -q --hard origin/main; git stash drop -q; git status -sb

#### clones shallow and by ssh-less path
git clone -q --depth 1 file://$PWD/../remote.git /tmp/sh && git -C /tmp/sh log --oneline | wc -l; git clone -q --bare . /tmp/bare.git && git -C /tmp/bare.git branch | wc -l; git clone -q --mirror . /tmp/m.git && git -C /tmp/m.git config remote.origin.mirror; rm -rf /tmp/sh /tmp/bare.git /tmp/m.git

#### counts and verifies
git fsck --no-progress && git count-objects -v | head -1; git gc -q && git rev-parse --is-inside-work-tree --show-toplevel | sed 's|.*/||'; git rev-list --count HEAD; git merge-base main fix/typo | wc -c; git name-rev --name-only HEAD; git symbolic-ref HEAD; git var GIT_EDITOR

#### rerere and merge tools by strategy
git merge -q -X theirs -m 'take theirs' feature/login && git log -1 --format=%s && sed -n 3p src/list.txt; git merge -s ours -m 'keep ours' fix/typo && ls docs 2>/dev/null; git branch --merged | sort; git branch --contains v0.2.0 | sort

#### pushes to a bare repository of its own
git init -q --bare copy.git && git remote add copy ./copy.git && git push -q copy main && git push -q -f copy HEAD~1:main && git ls-remote --heads copy | cut -f2 && git -C copy.git log --oneline | wc -l; git push -q /tmp/none.git main 2>/dev/null; echo "status $?"; rm -rf copy.git
