// Keeps what V8 made of a bundle beside it, after one use with the given words: what that needed is then compiled
// already.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { Script } from 'node:vm'

const file = resolve(process.argv[2])
const place = resolve('dist', basename(file))
const scratch = mkdtempSync(join(tmpdir(), 'cordon-build-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
process.chdir(scratch)
Object.assign(process.env, { XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch })
process.argv.splice(1, 2, place)
const script = new Script(readFileSync(file, 'latin1'), { filename: place })
const exported = {}
script.runInThisContext()(exported, createRequire(place), place)
const keep = () => writeFileSync(`${file}.cache`, script.createCachedData())
// The hook ends the process itself.
process.on('exit', keep)
await exported.status
