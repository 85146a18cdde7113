# Servers that are started, asked and ended in one line.
# project: npm
# ignore: times pids

#### a server in the background over two requests
# needs: node curl
node src/server.js > s.log & p=$!; for i in {1..100}; do curl -sf localhost:3000/health > /dev/null && break; sleep .1; done; curl -s localhost:3000/todos | node -p 'JSON.parse(require("fs").readFileSync(0)).length'; curl -s -X POST localhost:3000/todos -d '{"title":"b"}' -H 'content-type: application/json' | node -p 'JSON.parse(require("fs").readFileSync(0)).id'; curl -s -o /dev/null -w '%{http_code}\n' localhost:3000/x; kill $p; wait $p 2>/dev/null; echo "status $?"; cat s.log; rm s.log

#### nc and bash tcp
# project: files
# needs: nc
nc -l 127.0.0.1 5555 > got.txt & sleep .4; echo hello | nc -N 127.0.0.1 5555; wait; cat got.txt; rm got.txt; nc -z 127.0.0.1 5556; echo "status $?"
