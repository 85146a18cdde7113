# A repository with a secret that git ignores, and its example.
mkdir -p app/src
cd app
git init -q
printf '.env\nnode_modules/\n' >.gitignore
printf 'DATABASE_URL=postgres://localhost/dev\nAPI_KEY=\n' >.env.example
printf 'DATABASE_URL=postgres://localhost/dev\nAPI_KEY=not-a-real-key\n' >.env
printf "import { readFileSync } from 'node:fs'\nconsole.log(readFileSync('.env.example', 'utf8').split('\\\\n').length)\n" >src/config.js
printf 'TODO: document the settings\n' >README.md
git add -A
GIT_AUTHOR_DATE=2026-03-01T10:00:00Z GIT_COMMITTER_DATE=2026-03-01T10:00:00Z git commit -qm 'Start'
