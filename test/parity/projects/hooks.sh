# A repository whose owner installed a pre-commit hook.
mkdir app
cd app
git init -q
printf 'a\n' >README.md
git add -A
GIT_AUTHOR_DATE=2026-03-01T10:00:00Z GIT_COMMITTER_DATE=2026-03-01T10:00:00Z git commit -qm 'Start'
printf '#!/bin/sh\necho "checking $(git diff --cached --name-only | wc -l) files"\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
