#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
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
const file = fileURLToPath(new URL(COMMAND_LINE, import.meta.url))
const script = new Script(readFileSync(file, 'utf8'), { filename: file, cachedData: compiled(`${file}.cache`) })
const exported: Parameters<Body>[0] = {}
const body: Body = script.runInThisContext()
body(exported, createRequire(file), file)
process.exitCode = await exported.status
