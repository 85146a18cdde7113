import { spawnSync } from 'node:child_process'

type Run = () => Promise<void>

const installed = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** Other people's ways of running a command, as far as they are installed here; which are not is told on stderr. */
export async function peers(
  cwd: string,
  spawned: (program: string, args: readonly string[], cwd: string) => Promise<void>,
): Promise<Readonly<Record<string, Run>>> {
  const found: Record<string, Run> = {}
  const execa = await optional('execa')
  if (execa) found.execa = async () => void (await execa.execa('/bin/bash', ['-c', 'true'], { cwd }))
  const runtime = await optional('@anthropic-ai/sandbox-runtime')
  if (runtime) {
    const { SandboxManager } = runtime
    const config = {
      network: { allowedDomains: [], deniedDomains: [] },
      filesystem: { denyRead: [], allowWrite: [cwd], denyWrite: [] },
    }
    await SandboxManager.initialize(config)
    found.sandboxRuntime = async () =>
      spawned('/bin/sh', ['-c', await SandboxManager.wrapWithSandbox('bash -c true')], cwd)
  }
  if (installed('codex')) found.codex = () => spawned('codex', ['sandbox', 'linux', '--', 'bash', '-c', 'true'], cwd)
  else process.stderr.write('codex is not installed\n')
  return found
}

// Not ours to depend on: their types are not there, and mostly nor are they.
// biome-ignore lint/suspicious/noExplicitAny: see above.
async function optional(name: string): Promise<any> {
  try {
    return await import(name)
  } catch {
    process.stderr.write(`${name} is not installed\n`)
    return null
  }
}
