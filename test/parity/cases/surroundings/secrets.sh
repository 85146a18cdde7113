# Hidden files: what works around them, and the refusals that name the remedy.
# project: dotenv
# needs: git
# ignore: hashes

#### makes settings from the example under another name
# subset: yes
cp .env.example settings.sh && sed -i 's/API_KEY=/API_KEY=test/' settings.sh
# -- next command
. ./settings.sh && echo "$API_KEY"

#### lists names without opening them
# subset: yes
ls -A; ls -la .env* | awk '{ print $NF }'; test -f .env && echo exists; git status --short; git check-ignore .env; find . -maxdepth 1 -name '.env*' | sort; stat -c %n .env

#### commits all and leaves the ignored secret alone
# subset: yes
echo x > new.txt && git add -A && git commit -qm 'Add a file' && git show --stat --format=%s HEAD && git ls-files

#### searches the tracked files
git grep -n TODO; grep -rn TODO src README.md; rg -n TODO 2>/dev/null; echo done

#### makes a settings file where there is none
# subset: yes
mkdir packages && echo 'PORT=1' > packages/app.env && cat packages/app.env; rm -rf packages
# -- next command
mkdir -p sub && cp .env.example sub/.env && cat sub/.env

#### refuses to print the secret and says how to allow it
# expect: both denied /cordon allow|paths\.hidden/
cat .env

#### refuses to load the secret and says how to allow it
# expect: workspace denied /cordon allow|paths\.hidden/
# expect: developer held /cordon approve/
source .env && echo "$API_KEY"

#### refuses to overwrite the secret
# expect: workspace denied /cordon allow|paths\.hidden/
# expect: developer held /cordon approve/
cp .env.example .env

#### stops a program that reads the secret
# needs: node
# expect: both stopped /\.env.*(cordon allow|paths\.hidden|cordon\.toml)/
node -e 'console.log(require("fs").readFileSync(".env", "utf8").length)'
