import { spawn } from 'node:child_process'

const MAX_COMPLAINT = 1_000

export interface ProgramOptions {
  readonly cwd?: string
  readonly stdin?: number
}

/** Runs a program and returns what it prints. Rejects with its error output if it fails. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd = '/', stdin }: ProgramOptions = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      stdio: [stdin ?? 'ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    })
    const printed: Buffer[] = []
    let complaint = ''
    child.stdout?.on('data', (chunk) => printed.push(chunk))
    child.stderr?.on('data', (chunk) => {
      if (complaint.length < MAX_COMPLAINT) complaint += chunk
    })
    child.on('error', reject)
    child.on('close', (status) => {
      if (status === 0) resolve(Buffer.concat(printed))
      else reject(new Error(complaint.trim() || `${program} failed with status ${status}`))
    })
  })
}
