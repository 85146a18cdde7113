import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCapture } from '../src/core/capture/capture.js'
import { LIMITS } from '../src/core/model/basics/limits.js'
import type { Plan } from '../src/core/model/policy/plan.js'
import { present } from '../src/core/present/present.js'
import type { Launcher } from '../src/engine/ports/ports.js'
import { createBubblewrap } from '../src/host/launch/bubblewrap.js'
import { median } from './median.js'

const ROUNDS = 3
const MB = 1_000_000
const SMALL = 100 * MB
const LARGE = 2_000 * MB

const printing = (bytes: number): string =>
  `yes 'The quick brown fox jumps over the lazy dog, again and again.' | head -c ${bytes}`

/**
 * Measures 2 GB of stdout through the sandbox and the capture, against `cat > /dev/null` on the same pipe, and the peak
 * memory.
 */
export async function outputBench(): Promise<Record<string, number>> {
  const workspace = mkdtempSync(join(tmpdir(), 'cordon-bench-'))
  const launcher = createBubblewrap()
  try {
    await throughUs(launcher, workspace, SMALL)
    const peakSmall = peakMB()
    const ours: number[] = []
    const pipe: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      pipe.push(await timed(() => throughCat(LARGE)))
      ours.push(await timed(() => throughUs(launcher, workspace, LARGE)))
    }
    const [oursMs, pipeMs] = [median(ours), median(pipe)]
    return {
      'cat > /dev/null, MB/s': LARGE / MB / (pipeMs / 1000),
      'through the sandbox and the capture, MB/s': LARGE / MB / (oursMs / 1000),
      "times the pipe's own speed": pipeMs / oursMs,
      'peak memory at 100 MB, MB': peakSmall,
      'peak memory at 2 GB, MB': peakMB(),
    }
  } finally {
    await launcher.close()
    rmSync(workspace, { recursive: true, force: true })
  }
}

const peakMB = (): number => process.resourceUsage().maxRSS / 1000

async function timed(way: () => Promise<void>): Promise<number> {
  const from = performance.now()
  await way()
  return performance.now() - from
}

function throughCat(bytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', `${printing(bytes)} | cat > /dev/null`], { stdio: 'ignore' })
    child.once('error', reject)
    child.once('close', () => resolve())
  })
}

async function throughUs(launcher: Launcher, workspace: string, bytes: number): Promise<void> {
  const capture = createCapture(LIMITS.captureBytes)
  await launcher.launch(planFor(workspace, printing(bytes)), {
    stdin: 'closed',
    signal: new AbortController().signal,
    onChunk: capture.push,
    onStart: () => undefined,
  })
  const captured = capture.finish()
  const shown = present({
    command: { mode: 'shell', script: printing(bytes) },
    argvs: [],
    captured,
    exitCode: 0,
    ok: true,
    presentedChars: LIMITS.presentedChars,
    filters: true,
  })
  if (captured.stdout.totalBytes !== bytes || !shown.truncated)
    throw new Error(`Lost output: ${captured.stdout.totalBytes}`)
}

function planFor(workspace: string, script: string): Plan {
  return {
    argv: ['/bin/bash', '-c', script],
    cwd: workspace,
    env: [['PATH', '/usr/bin:/bin']],
    stdinDigest: null,
    sandbox: {
      kind: 'bubblewrap',
      mounts: [
        { op: 'read', from: '/', at: '/' },
        { op: 'dev', at: '/dev' },
        { op: 'proc', at: '/proc' },
        { op: 'write', from: workspace, at: workspace },
      ],
      network: 'none',
    },
    limits: { memoryBytes: null, processes: null, cpuSeconds: null, fileBytes: null, openFiles: null, diskBytes: null },
    timeoutMs: 600_000,
    graceMs: 2_000,
    transaction: 'off',
    workspace,
    agent: null,
    profile: 'bench',
    policyDigest: '',
    digest: '',
  }
}
