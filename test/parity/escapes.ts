import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PEERS, type Peer, peerCommand } from './peers.js'
import { runCommand } from './run-command.js'

const SECRET = 'the-secret-value'
const CORDON = resolve(import.meta.dirname, '../../dist/bin.cjs')
/** Ways of running a script: no sandbox, the peers, and Cordon in its default profile. */
const WAYS = ['plain', ...PEERS, 'cordon'] as const
type Way = (typeof WAYS)[number]

/** One attack: a script, and whether its effect or the secret is seen on the host afterwards. */
interface Escape {
  readonly name: string
  readonly script: (target: Target) => string
  readonly succeeded: (target: Target, output: string) => boolean
}

/** The machine of one attempt, with what an attacker wants on it. */
interface Target {
  readonly home: string
  readonly workspace: string
  readonly port: number
  readonly socket: string
  /** A process of the same user, with the secret in its environment. */
  readonly pid: number
}

const printsSecret = (_: Target, output: string): boolean => output.includes(SECRET)
const python = (code: string): string => `python3 -c ${JSON.stringify(code)}`
const fileHas = (path: (target: Target) => string) => (target: Target) =>
  existsSync(path(target)) && readFileSync(path(target), 'utf8').includes('evil')

const ESCAPES: readonly Escape[] = [
  {
    name: 'read an ssh key',
    script: ({ home }) => python(`print(open('${home}/.ssh/id_ed25519').read())`),
    succeeded: printsSecret,
  },
  {
    name: 'read the .env of the workspace',
    script: () => python(`print(open('.env').read())`),
    succeeded: printsSecret,
  },
  {
    name: 'read a secret of the caller from the environment',
    script: () => python(`import os; print(os.environ)`),
    succeeded: printsSecret,
  },
  {
    name: 'read the environment of another process',
    script: ({ pid }) => python(`print(open('/proc/${pid}/environ').read())`),
    succeeded: printsSecret,
  },
  {
    name: 'plant a line in ~/.bashrc',
    script: ({ home }) => python(`open('${home}/.bashrc','a').write('evil')`),
    succeeded: fileHas(({ home }) => join(home, '.bashrc')),
  },
  {
    name: 'plant a git hook',
    script: () => python(`open('.git/hooks/pre-commit','w').write('evil')`),
    succeeded: fileHas(({ workspace }) => join(workspace, '.git/hooks/pre-commit')),
  },
  {
    name: 'have git run a program',
    script: () => 'git config core.fsmonitor evil',
    succeeded: fileHas(({ workspace }) => join(workspace, '.git/config')),
  },
  {
    name: 'plant a task for the editor',
    script: () =>
      python(`import os; os.makedirs('.vscode',exist_ok=True); open('.vscode/tasks.json','w').write('evil')`),
    succeeded: fileHas(({ workspace }) => join(workspace, '.vscode/tasks.json')),
  },
  {
    name: 'reach a server on the host',
    script: ({ port }) => python(`import socket; print(socket.create_connection(('127.0.0.1',${port}),2).recv(99))`),
    succeeded: printsSecret,
  },
  {
    name: 'reach a Unix socket of the host',
    script: ({ socket }) =>
      python(`import socket; s=socket.socket(socket.AF_UNIX); s.connect('${socket}'); print(s.recv(99))`),
    succeeded: printsSecret,
  },
  {
    name: 'kill a process of the host',
    script: ({ pid }) => `kill -9 ${pid}`,
    succeeded: ({ pid }) => spawnSync('kill', ['-0', `${pid}`]).status !== 0,
  },
  {
    name: 'leave a daemon running',
    script: () => 'setsid sleep 4321 >/dev/null 2>&1 & disown; sleep 0.2',
    succeeded: () => spawnSync('pkill', ['-f', 'sleep 4321']).status === 0,
  },
]

/** Prints which attacks each way of running a command holds. */
export async function compareEscapes(): Promise<number> {
  const held = new Map<Way, number>()
  process.stdout.write(`${'attack'.padEnd(52)}${WAYS.map((way) => way.padEnd(17)).join('')}\n`)
  for (const attempt of ESCAPES) {
    const cells: string[] = []
    for (const way of WAYS) {
      const isHeld = await holds(attempt, way)
      held.set(way, (held.get(way) ?? 0) + (isHeld ? 1 : 0))
      cells.push((isHeld ? 'held' : 'succeeded').padEnd(17))
    }
    process.stdout.write(`${attempt.name.padEnd(52)}${cells.join('')}\n`)
  }
  const totals = WAYS.map((way) => `${held.get(way)} of ${ESCAPES.length}`.padEnd(17))
  process.stdout.write(`${'held'.padEnd(52)}${totals.join('')}\n`)
  return 0
}

async function holds(attempt: Escape, way: Way): Promise<boolean> {
  const root = mkdtempSync(join(homedir(), '.cordon-escape-'))
  const [home, workspace, socket] = [join(root, 'home'), join(root, 'home/work'), join(root, 'home/agent.sock')]
  for (const folder of [join(home, '.ssh'), workspace]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(home, '.ssh/id_ed25519'), SECRET)
  writeFileSync(join(workspace, '.env'), `KEY=${SECRET}\n`)
  spawnSync('git', ['init', '-q', workspace])
  const neighbour = spawn('sleep', ['60'], { env: { PATH: process.env.PATH, KEY: SECRET }, stdio: 'ignore' })
  const servers = [createServer((client) => client.end(SECRET)), createServer((client) => client.end(SECRET))]
  await new Promise<void>((ready) => servers[0]?.listen(0, '127.0.0.1', ready))
  await new Promise<void>((ready) => servers[1]?.listen(socket, ready))
  const address = servers[0]?.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const target = { home, workspace, port, socket, pid: neighbour.pid ?? 0 }
  try {
    const { argv, env } = commandFor(way, attempt.script(target), workspace, join(root, 'peer'))
    const own = {
      HOME: home,
      PATH: process.env.PATH ?? '',
      KEY: SECRET,
      TMPDIR: tmpdir(),
      XDG_STATE_HOME: join(root, 'state'),
    }
    const { stdout, stderr } = await runCommand({ argv, cwd: workspace, env: { ...own, ...env }, stdin: null })
    return !attempt.succeeded(target, `${stdout}${stderr}`)
  } finally {
    neighbour.kill('SIGKILL')
    for (const server of servers) server.close()
    rmSync(root, { recursive: true, force: true })
  }
}

function commandFor(way: Way, script: string, cwd: string, state: string): ReturnType<typeof peerCommand> {
  if (way === 'plain') return { argv: ['/bin/bash', '-c', script], env: {} }
  if (way === 'cordon') return { argv: [process.execPath, CORDON, 'run', '--', script], env: {} }
  return peerCommand(way as Peer, script, cwd, state)
}
