import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import type { Outcome } from './compare.js'
import { PEERS, type Peer, peerCommand } from './peers.js'
import type { Case, ProfileName } from './read-cases.js'
import { type Ended, runCommand } from './run-command.js'
import { treeOf } from './tree.js'

const PROJECTS = join(import.meta.dirname, 'projects')
const CORDON = join(import.meta.dirname, '../../dist/bin.cjs')
/** Directories of the real home that hold toolchains; `.cargo` holds caches and credentials as well. */
const TOOLCHAINS = ['.rustup', '.pyenv', '.cargo/bin', '.nvm', '.volta']
const PATH = [
  '.cargo/bin',
  '.pyenv/shims',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/usr/local/go/bin',
]

/**
 * Directories for cases: projects, a home, and benches that run one case at a time from the same start.
 */
export class Workbench {
  readonly #root = mkdtempSync(join('/var/tmp', 'cordon-parity-'))

  constructor() {
    mkdirSync(join(this.#root, 'projects'))
    makeHome(this.#path('home'))
  }

  #path(...parts: readonly string[]): string {
    return join(this.#root, ...parts)
  }

  /** Makes a project by its script in `projects/`, once. Throws with the script's output if that fails. */
  makeProject(name: string): void {
    const directory = this.#path('projects', name)
    if (existsSync(directory)) return
    mkdirSync(directory)
    const script = join(PROJECTS, `${name}.sh`)
    const { status, stderr, stdout } = spawnSync('bash', ['-euo', 'pipefail', script], {
      cwd: directory,
      env: environmentIn(this.#path('home')),
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${basename(script)} failed with status ${status}:\n${stdout}${stderr}`)
  }

  /** Tells if a program is on the commands' PATH; `python3:venv` asks for a module of Python. */
  has(need: string): boolean {
    const env = environmentIn(this.#path('home'))
    const [program, module] = need.split(':')
    const script = module === undefined ? `command -v ${program}` : `${program} -c 'import ${module}'`
    return spawnSync('bash', ['-c', script], { env, stdio: 'ignore' }).status === 0
  }

  /** Runs all commands of a case on a fresh copy of its project, at the same paths in every run of one bench. */
  async run(one: Case, bench: number, where: ProfileName | Peer | 'plain'): Promise<Outcome> {
    const place = this.#path(`${bench}`)
    const home = join(place, 'home')
    removeTree(place)
    mkdirSync(place)
    copyTree(this.#path('home'), home)
    copyTree(this.#path('projects', one.project), join(home, 'work'))
    mkdirSync(join(place, 'tmp'), { mode: 0o1777 })
    const cwd = join(home, 'work/app')
    const steps: Ended[] = []
    for (const script of one.steps) {
      const shell = { SHELL: '/bin/bash', TERM: 'dumb', TMPDIR: '/tmp', PWD: cwd }
      const { argv, env: own } = isPeer(where)
        ? withEnv(peerCommand(where, script, cwd, join(place, 'peer')), shell)
        : where === 'plain'
          ? { argv: plainBash(join(place, 'tmp'), cwd, script), env: shell }
          : { argv: cordonRun(where, script), env: outerEnvironment() }
      steps.push(await runCommand({ argv, cwd, env: { ...environmentIn(home), ...own }, stdin: one.stdin }))
    }
    return { steps, tree: treeOf(join(home, 'work')) }
  }

  remove(): void {
    removeTree(this.#root)
  }
}

const isPeer = (where: string): where is Peer => (PEERS as readonly string[]).includes(where)
const withEnv = ({ argv, env }: ReturnType<typeof peerCommand>, more: Readonly<Record<string, string>>) => ({
  argv,
  env: { ...more, ...env },
})

/**
 * bash in network, pid and /tmp namespaces of its own, so that cases do not meet each other's ports, processes and
 * files. Everything else is the machine's own.
 */
function plainBash(temporary: string, cwd: string, script: string): [string, ...string[]] {
  const namespaces = [
    '--dev-bind',
    '/',
    '/',
    '--bind',
    temporary,
    '/tmp',
    '--proc',
    '/proc',
    '--unshare-net',
    '--unshare-pid',
    '--die-with-parent',
  ]
  return ['bwrap', ...namespaces, '--chdir', cwd, '--', '/bin/bash', '-c', script]
}

const cordonRun = (profile: ProfileName, script: string): [string, ...string[]] => [
  process.execPath,
  CORDON,
  'run',
  '--profile',
  profile,
  '--',
  script,
]

/** Variables of Cordon's own process beside those of a command. */
const outerEnvironment = (): Record<string, string> =>
  process.env.TMPDIR === undefined ? {} : { TMPDIR: process.env.TMPDIR }

function environmentIn(home: string): Record<string, string> {
  const { username } = userInfo()
  const path = PATH.map((entry) => (entry.startsWith('/') ? entry : join(home, entry))).join(':')
  return { HOME: home, PATH: path, LANG: 'C.UTF-8', USER: username, LOGNAME: username }
}

/** A person's home: an identity for git, secrets that stay secret, and the real toolchains by links. */
function makeHome(home: string): void {
  mkdirSync(join(home, '.ssh'), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, '.ssh/id_ed25519'), 'not a real key\n', { mode: 0o600 })
  writeFileSync(join(home, '.npmrc'), '//registry.example.com/:_authToken=not-a-real-token\nfund=false\n', {
    mode: 0o600,
  })
  writeFileSync(join(home, '.bashrc'), 'alias ll="ls -l"\n')
  const git =
    '[user]\n\tname = Ada Example\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[alias]\n\tst = status --short\n\tlg = log --oneline\n[pull]\n\trebase = false\n'
  writeFileSync(join(home, '.gitconfig'), git)
  for (const name of TOOLCHAINS) {
    if (!existsSync(join(homedir(), name))) continue
    mkdirSync(join(home, name, '..'), { recursive: true })
    symlinkSync(join(homedir(), name), join(home, name))
  }
}

function copyTree(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** Removes a tree even where a command took its owner's rights away. */
function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    makeWritable(path)
    rmSync(path, { recursive: true, force: true })
  }
}

function makeWritable(path: string): void {
  chmodSync(path, 0o700)
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(path, entry.name))
}
