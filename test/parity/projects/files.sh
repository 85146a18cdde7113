# Texts, data, logs, symlinks and odd names.
mkdir -p app/src/lib app/docs app/data app/logs app/bin app/config
cd app
printf '# Handbook\n\n## Install\nRun `make`.\n\n## Usage\nTODO: write this.\n' >README.md
printf 'import os\n\n# TODO: use pathlib\ndef main():\n    print(os.getcwd())\n' >src/main.py
printf 'def helper(value):\n    # TODO: validate\n    return value\n' >src/lib/helper.py
printf 'const url = "http://old.example.com/api"\nexport const fetchAll = () => fetch(url)\n' >src/api.js
printf 'console.log("hi")\n' >src/lib/index.js
printf 'Guide to the old name.\nThe old name stays.\n' >docs/guide.md
printf '\xef\xbb\xbfwith a byte order mark\r\nand CRLF\r\n' >docs/windows.txt
printf '{"name":"demo","version":"1.2.3","scripts":{"build":"x","test":"y"},"items":[{"id":1,"tags":["a","b"]},{"id":2,"tags":[]}]}\n' >data/package.json
printf 'id,name,amount\n1,apple,3.50\n2,pear,1.25\n3,plum,7.00\n4,apple,2.00\n' >data/sales.csv
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf '10.0.0.%d - - "GET /page/%d" %d %d\n' $((i % 3)) $((i % 4)) $((i % 5 == 0 ? 500 : 200)) $((i * 100)); done >logs/access.log
printf 'INFO start\nERROR disk full\nWARN slow\nERROR timeout\nINFO stop\n' >logs/app.log
printf '#!/usr/bin/env bash\nset -euo pipefail\necho "deploying ${1:?usage: deploy ENV}"\n' >bin/deploy.sh
printf '#!/bin/sh\necho "args: $#"\nfor a; do echo "[$a]"; done\n' >bin/args
chmod +x bin/deploy.sh bin/args
printf 'server:\n  host: 0.0.0.0\n  port: 8080\ndebug: true\n' >config/app.yaml
printf '[core]\nname = demo\nretries = 3\n' >config/app.ini
printf 'API_KEY=\nPORT=3000\n' >.env.example
printf 'root = true\n' >.editorconfig
printf 'hidden\n' >.hidden
mkdir -p 'docs/with space' src/empty
printf 'spaced\n' >'docs/with space/a file.txt'
printf 'dash\n' >./-dash
printf 'umlaut\n' >docs/ümläut.txt
printf 'emoji\n' >'docs/🎉 party.md'
printf "quote\n" >"docs/it's.txt"
ln -s README.md link.md
ln -s src/lib lib
ln -s missing dangling
head -c 4096 /dev/zero | tr '\0' 'x' >data/block.bin
printf '\x00\x01\x02\xff\xfe' >data/raw.bin
