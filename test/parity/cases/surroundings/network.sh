# Addresses elsewhere: what must be refused, and how it is said. None of these reaches anything.
# project: npm

#### refuses a download and names the command that allows it
# subset: yes
# needs: curl
# expect: workspace denied /cordon allow host|network/
# expect: developer held /cordon (allow|approve)/
curl -sS https://files.example.com/a.txt

#### refuses a clone and names the remedy
# needs: git
# expect: workspace stopped /cordon allow|cordon\.toml|network/
# expect: developer held /cordon (allow|approve)/
git clone -q https://git.example.com/a/b.git

#### stops a package manager quickly and names the remedy
# needs: npm
# expect: workspace stopped /cordon allow|cordon\.toml|network/
# profiles: workspace
npm install --no-audit --no-fund left-pad

#### stops pip quickly and names the remedy
# needs: python3:pip
# expect: workspace stopped /cordon allow|cordon\.toml|network/
# profiles: workspace
python3 -m pip install --disable-pip-version-check --user some-package-of-the-index

#### stops a program that looks a name up
# needs: node
# expect: both stopped /cordon allow host|cordon\.toml|network/
node -e 'require("dns").lookup("api.example.com", (e) => { console.error(e.code); process.exit(1) })'

#### refuses the person's container engine with a reason
# needs: docker
# expect: both stopped /docker|cordon/
docker ps

#### names the host of a remote that is fetched
# needs: git
# expect: workspace stopped /cordon allow host git\.example\.com/
# profiles: workspace
git init -q away && cd away && git remote add origin https://git.example.com/a/b.git && git fetch -q

#### says of a name that it does not exist, and not to try again later
# needs: npm
# expect: workspace stopped /ENOTFOUND.*registry\.npmjs\.org/
# profiles: workspace
npm view left-pad version
