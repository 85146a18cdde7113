# The home and /tmp: what commands read and write there, also across commands.
# project: npm

#### finds its home where the person's is
# subset: yes
echo ~ | sed "s|$HOME|same|"; cd && pwd | grep -c "$HOME"; test -w ~ && echo writable

#### writes a cache and finds it in the next command
# subset: yes
mkdir -p ~/.cache/tool && echo cached > ~/.cache/tool/data
# -- next command
cat ~/.cache/tool/data

#### writes settings of a tool in the home
mkdir -p ~/.config/mytool && echo 'theme = "dark"' > ~/.config/mytool/config.toml && cat ~/.config/mytool/config.toml
# -- next command
cat ~/.config/mytool/config.toml && ls ~/.config | grep -c mytool

#### shares a temporary directory between commands
# subset: yes
d=/tmp/parity-work && mkdir -p $d && echo step one > $d/notes
# -- next command
cat /tmp/parity-work/notes && echo step two >> /tmp/parity-work/notes
# -- next command
wc -l < /tmp/parity-work/notes && rm -r /tmp/parity-work

#### remembers a directory that mktemp made
# subset: yes
mktemp -d > where.txt && touch "$(cat where.txt)/file" && rm where.txt.old 2>/dev/null; cp where.txt /tmp/where && rm where.txt
# -- next command
ls "$(cat /tmp/where)"; rm -r "$(cat /tmp/where)" /tmp/where

#### uses mktemp for a file and cleans up by a trap
t=$(mktemp) && trap 'rm -f "$t"' EXIT && echo data > "$t" && cat "$t" && case $t in /tmp/*) echo in tmp ;; esac; mktemp -u | cut -c1-5

#### logs to /tmp and reads the log
# subset: yes
for i in 1 2 3; do echo "line $i"; done > /tmp/build.log 2>&1 && tail -1 /tmp/build.log
# -- next command
grep -c line /tmp/build.log; rm /tmp/build.log

#### moves files between the project and /tmp
cp package.json /tmp/p.json && sed -i 's/1.0.0/1.0.1/' /tmp/p.json && mv /tmp/p.json package.json && git diff --stat; mkdir -p /tmp/x && tar -cf /tmp/x/src.tar src && tar -tf /tmp/x/src.tar | wc -l && rm -r /tmp/x

#### works on a clone in /tmp across commands
# needs: git
git clone -q . /tmp/clone && cd /tmp/clone && echo change >> README.new && git add -A && git commit -qm 'In the clone' && git log --oneline | wc -l
# -- next command
git pull -q /tmp/clone && ls README.new && rm -rf /tmp/clone

#### makes a worktree in /tmp
# needs: git
git worktree add -q /tmp/wt-parity -b side && ls /tmp/wt-parity | head -2
# -- next command
cd /tmp/wt-parity && echo s > s.txt && git add s.txt && git commit -qm side && cd - >/dev/null && git log side --oneline | wc -l && git worktree remove --force /tmp/wt-parity && git branch -q -D side

#### leaves its home's entries out of the tree
# subset: yes
# needs: npm git
npm config set fund false --location=user; npm cache verify >/dev/null 2>&1; mkdir -p ~/.cache/x ~/.npm; touch ~/.wget-hsts; git status --short; ls -A

#### appends to its shell history and to no other
HISTFILE=~/.parity_history; history -s 'echo one'; history -w; cat ~/.parity_history; set -o history; echo done

#### reads git's configuration from the home
# subset: yes
# needs: git
git config user.name; git config --get init.defaultBranch; git config --get alias.st; git var GIT_AUTHOR_IDENT | cut -d'<' -f1; git config --show-origin --get user.email | cut -f2

#### sets a global configuration and finds it again
# needs: git
git config --global core.pager cat && git config --global --get core.pager
# -- next command
git config --global --get core.pager

#### uses XDG directories
echo "${XDG_CACHE_HOME:-unset} ${XDG_CONFIG_HOME:-unset}"; mkdir -p "${XDG_DATA_HOME:-$HOME/.local/share}/app" && touch ~/.local/share/app/db && ls ~/.local/share/app; mkdir -p ~/.local/bin && printf '#!/bin/sh\necho mine\n' > ~/.local/bin/mine && chmod +x ~/.local/bin/mine && ~/.local/bin/mine

#### installs a tool in the home and runs it in the next command
# needs: npm
npm install --silent --no-audit --no-fund --no-update-notifier --prefix ~/tools ./packages/greeter && ls ~/tools/node_modules
# -- next command
~/tools/node_modules/.bin/greet home

#### installs a package of the project for the person
# needs: npm
npm install -g --no-update-notifier --silent --no-audit --no-fund --prefix ~/.npm-global ./packages/greeter && ~/.npm-global/bin/greet global

#### writes through a link in the home
mkdir -p ~/data && ln -s ~/data ~/link && echo x > ~/link/f && cat ~/data/f && rm ~/link && ls ~/data

#### cannot see the person's keys
# expect: both denied /hidden/
cat ~/.ssh/id_ed25519

#### puts a big file into /tmp and /dev/shm
head -c 20000000 /dev/zero > /tmp/big && stat -c %s /tmp/big && rm /tmp/big; echo shm > /dev/shm/parity-x && cat /dev/shm/parity-x && rm /dev/shm/parity-x; test -d /var/tmp && echo var
