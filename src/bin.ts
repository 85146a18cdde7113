#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

/** The name of the bundled command line, which the build fills in. It changes with the text, as V8 itself compares only lengths. */
declare const COMMAND_LINE: string

/** What V8 made of the command line when it was built. Another V8, or other flags, refuse it and compile the text again. */
function compiled(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

type Body = (exports: { readonly status?: Promise<number> }, require: NodeJS.Require, filename: string) => void

// Reading text that is compiled already takes half the time of reading modules, and that is most of the start of a command.
// The text is of ASCII alone, and this file itself no module: loading one takes longer than it looks.
const file = join(__dirname, COMMAND_LINE)
const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData: compiled(`${file}.cache`) })
const exported: Parameters<Body>[0] = {}
const body: Body = script.runInThisContext()
body(exported, createRequire(file), file)
// Should it never come to an end of its own, that is no success.
process.exitCode = 125
void exported.status?.then((status) => {
  process.exitCode = status
})
