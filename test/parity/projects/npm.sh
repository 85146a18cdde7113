# A package with tests, a build script, a linter of its own and a dependency in a directory of the project.
mkdir -p app/src app/test app/scripts app/packages/greeter
cd app
git init -q
cat >package.json <<'JSON'
{
  "name": "app",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "scripts": {
    "build": "node scripts/build.js",
    "test": "node --test",
    "lint": "node scripts/lint.js src",
    "start": "node src/server.js",
    "pretest": "node scripts/check.js",
    "fail": "exit 7"
  },
  "dependencies": {
    "greeter": "file:packages/greeter"
  }
}
JSON
cat >packages/greeter/package.json <<'JSON'
{ "name": "greeter", "version": "2.1.0", "type": "module", "main": "index.js", "bin": { "greet": "cli.js" } }
JSON
printf "export const greet = (name) => \`Hello, \${name}!\`\n" >packages/greeter/index.js
printf "#!/usr/bin/env node\nimport { greet } from './index.js'\nconsole.log(greet(process.argv[2] ?? 'world'))\n" >packages/greeter/cli.js
chmod +x packages/greeter/cli.js
cat >src/sum.js <<'JS'
export function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
JS
cat >src/server.js <<'JS'
import { createServer } from 'node:http'

const port = Number(process.env.PORT ?? 3000)
const todos = [{ id: 1, title: 'write tests' }]
createServer((request, response) => {
  if (request.url === '/health') return response.end('ok\n')
  if (request.url === '/todos' && request.method === 'GET') return response.end(JSON.stringify(todos))
  if (request.url === '/todos' && request.method === 'POST') {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      todos.push({ id: todos.length + 1, ...JSON.parse(body) })
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(todos.at(-1)))
    })
    return
  }
  response.writeHead(404).end('not found\n')
}).listen(port, '127.0.0.1', () => console.log(`listening on ${port}`))
JS
cat >test/sum.test.js <<'JS'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum } from '../src/sum.js'

test('adds numbers', () => assert.equal(sum([1, 2, 3]), 6))
test('adds nothing', () => assert.equal(sum([]), 0))
JS
printf "import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'\nmkdirSync('dist', { recursive: true })\nwriteFileSync('dist/bundle.js', readFileSync('src/sum.js', 'utf8').replaceAll('export ', ''))\nconsole.log('built dist/bundle.js')\n" >scripts/build.js
printf "console.log('checked')\n" >scripts/check.js
cat >scripts/lint.js <<'JS'
import { readdirSync, readFileSync } from 'node:fs'
let problems = 0
for (const name of readdirSync(process.argv[2])) {
  readFileSync(`${process.argv[2]}/${name}`, 'utf8').split('\n').forEach((line, index) => {
    if (/\bvar\b/.test(line)) {
      problems++
      console.error(`${process.argv[2]}/${name}:${index + 1}: error: use let or const (no-var)`)
    }
  })
}
console.log(`${problems} problems`)
process.exit(problems === 0 ? 0 : 1)
JS
printf 'node_modules/\ndist/\n' >.gitignore
printf 'update-notifier=false\nfund=false\naudit=false\n' >.npmrc
git add -A
GIT_AUTHOR_DATE=2026-03-01T10:00:00Z GIT_COMMITTER_DATE=2026-03-01T10:00:00Z git commit -qm 'Start'
