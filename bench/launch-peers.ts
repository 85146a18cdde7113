import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Run = () => Promise<void>
type Spawned = (program: string, args: readonly string[], cwd: string) => Promise<void>

/** Newer ones know the system by themselves. */
const CODEX = [
  ['sandbox', '--'],
  ['sandbox', 'linux', '--'],
] as const

/**
 * Returns other tools that run a command, if they are installed and work. Names the others on stderr.
 */
export async function peers(cwd: string, spawned: Spawned): Promise<Readonly<Record<string, Run>>> {
  const ways: Readonly<Record<string, readonly (Run | null)[]>> = {
    execa: [await execa(cwd)],
    sandboxRuntime: [await sandboxRuntime(cwd, spawned)],
    codex: isOnPath('codex')
      ? CODEX.map((words) => () => spawned('codex', [...words, 'bash', '-c', 'true'], cwd))
      : [null],
  }
  const found: Record<string, Run> = {}
  for (const [name, tried] of Object.entries(ways)) {
    const run = await firstThatWorks(name, tried)
    if (run !== null) found[name] = run
  }
  return found
}

async function firstThatWorks(name: string, ways: readonly (Run | null)[]): Promise<Run | null> {
  let why = 'is not installed'
  for (const run of ways) {
    try {
      if (run === null) continue
      await run()
      return run
    } catch (error) {
      why = `does not work here: ${error instanceof Error ? error.message : error}`
    }
  }
  process.stderr.write(`${name} ${why}\n`)
  return null
}

const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some((directory) => existsSync(join(directory, program)))

async function execa(cwd: string): Promise<Run | null> {
  const found = await optional('execa')
  return found === null ? null : async () => void (await found.execa('/bin/bash', ['-c', 'true'], { cwd }))
}

async function sandboxRuntime(cwd: string, spawned: Spawned): Promise<Run | null> {
  const found = await optional('@anthropic-ai/sandbox-runtime')
  if (found === null) return null
  const { SandboxManager } = found
  const config = {
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [cwd], denyWrite: [] },
  }
  let ready: Promise<void> | undefined
  return async () => {
    ready ??= SandboxManager.initialize(config)
    await ready
    await spawned('/bin/sh', ['-c', await SandboxManager.wrapWithSandbox('bash -c true')], cwd)
  }
}

// Not ours to depend on: their types are not there, and mostly nor are they.
// biome-ignore lint/suspicious/noExplicitAny: see above.
async function optional(name: string): Promise<any> {
  const everywhere = join(dirname(process.execPath), '../lib/node_modules', name)
  for (const place of [name, entryOf(everywhere)]) {
    try {
      if (place !== null) return await import(place)
    } catch {
      // Not there, or made for another Node.
    }
  }
  return null
}

/** Returns the file that an import of the package in this directory loads, or null. */
function entryOf(directory: string): string | null {
  const manifest = join(directory, 'package.json')
  if (!existsSync(manifest)) return null
  const { exports, main } = JSON.parse(readFileSync(manifest, 'utf8'))
  let entry = exports?.['.'] ?? exports ?? main ?? 'index.js'
  while (typeof entry === 'object') entry = entry.import ?? entry.node ?? entry.default
  return pathToFileURL(join(directory, entry)).href
}
