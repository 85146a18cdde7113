#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

/**
 * Names of the bundled command line and hook, which the build fills in. They change with the text, as V8 itself
 * compares only lengths.
 */
declare const COMMAND_LINE: string
declare const HOOK: string

/** Returns V8's compiled form of the command line. Another V8, or other flags, reject it and compile the text. */
function compiled(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

type Body = (exports: { readonly status?: Promise<number> }, require: NodeJS.Require, filename: string) => void

// Reading text that is compiled already takes half the time of reading modules, and that is most of the start of a
// command. The text is of ASCII alone, and this file itself no module: loading one takes longer than it looks.
function start(name: string): void {
  const file = join(__dirname, name)
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData: compiled(`${file}.cache`) })
  const exported: Parameters<Body>[0] = {}
  const body: Body = script.runInThisContext()
  body(exported, createRequire(file), file)
  // Should it never come to an end of its own, that is no success.
  process.exitCode = 125
  void exported.status?.then((status) => {
    process.exitCode = status
  })
}

/** Exits with the hook's refusal status on failure: most other statuses let an agent run its command. */
const [, , command, ...words] = process.argv
if (command === 'hook' && !words.some((word) => word === '--help' || word === '-h')) {
  try {
    start(HOOK)
  } catch (error) {
    process.stderr.write(`Cordon could not start, so the command is not run: ${error}\n`)
    process.exit(2)
  }
} else start(COMMAND_LINE)
