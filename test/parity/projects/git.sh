# A repository with history, branches that conflict, tags, a bare remote and a library beside it.
at() { export GIT_AUTHOR_DATE="2026-03-0$1T10:00:00Z" GIT_COMMITTER_DATE="2026-03-0$1T10:00:00Z"; }
at 1
git init -q app
cd app
mkdir src docs
printf '# Notes\n\nA small app.\n' >README.md
printf 'node_modules/\n*.log\nbuild/\n.env\n' >.gitignore
printf 'export function add(a, b) {\n  return a + b\n}\n' >src/add.js
printf 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n' >src/list.txt
git add -A
git commit -qm 'Start the project'
at 2
printf 'export function sub(a, b) {\n  return a - b\n}\n' >src/sub.js
git add -A
git commit -qm 'Add subtraction'
git tag v0.1.0
at 3
git switch -qc feature/login
printf 'export const login = (name) => `hello ${name}`\n' >src/login.js
sed -i 's/three/THREE/' src/list.txt
git add -A
git commit -qm 'Add login'
at 4
git switch -q main
sed -i 's/three/3/' src/list.txt
printf 'See docs.\n' >>README.md
git commit -qam 'Number the third line'
git switch -qc fix/typo
printf 'Usage: run it.\n' >docs/usage.md
git add -A
git commit -qm 'Explain the usage'
git switch -q main
at 5
printf 'export function mul(a, b) {\n  return a * b + 1\n}\n' >src/mul.js
git add -A
git commit -qm 'Add multiplication'
git tag -am 'Second release' v0.2.0
cd ..
git clone -q --bare app remote.git
git -C remote.git remote remove origin
cd app
git remote add origin ../remote.git
git fetch -q
git branch -q --set-upstream-to=origin/main main
at 6
git clone -q ../remote.git ../other
cd ../other
printf 'MIT\n' >LICENSE
git add -A
git commit -qm 'Add a licence'
git push -q origin main
cd ..
rm -rf other
git init -q library
cd library
printf 'export const version = 1\n' >index.js
git add -A
git commit -qm 'Start the library'
