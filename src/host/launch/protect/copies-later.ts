import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, lstatSync, openSync } from 'node:fs'
import { basename, dirname } from 'node:path'

const O_PATH = 0o10000000

interface Copy {
  /** Open directory of the source, which has no other name that stays the same. */
  readonly directory: number
  readonly name: string
  readonly to: string
}

/**
 * Moves files to another file system by programs that accept names of any bytes, deep trees and FIFOs. A command
 * decides how long that takes, so the engine serves others meanwhile.
 */
export class CopiesLater {
  readonly #copies: Copy[] = []

  add(from: string, to: string): void {
    const directory = openSync(dirname(from), O_PATH | constants.O_DIRECTORY)
    this.#copies.push({ directory, name: basename(from), to })
  }

  async finish(): Promise<void> {
    for (const { directory, name, to } of this.#copies.splice(0)) {
      try {
        await copyAndDelete(`/proc/self/fd/${directory}`, name, to)
      } finally {
        closeSync(directory)
      }
    }
  }
}

/** Deletes the source even if the copy failed. */
async function copyAndDelete(cwd: string, name: string, to: string): Promise<void> {
  // Started in the directory, because no other process may see our descriptors.
  const run = (program: string, ...args: string[]): Promise<void> =>
    ended(spawn(program, args, { cwd, env: {}, stdio: 'ignore' }))
  // A command can lock its directories against their removal. A symlink would be followed.
  if (lstatSync(`${cwd}/${name}`, { throwIfNoEntry: false })?.isDirectory())
    await run('/bin/chmod', '-R', 'u+rwX', '--', name)
  await run('/bin/cp', '-a', '--', name, to)
  await run('/bin/rm', '-rf', '--', name)
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
