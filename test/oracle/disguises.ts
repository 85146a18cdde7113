import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What every disguise runs. */
export const PLAIN = 'rm -rf /'

/** Ways of saying it that bash understands, one JSON string a line: quoting, expansions, indirection, files, traps, prompts, subscripts. */
export const DISGUISES: readonly string[] = readFileSync(join(import.meta.dirname, 'disguises.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as string)

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const encoded = (text: string): string => Buffer.from(text).toString('base64')

const WRAPPINGS: readonly ((script: string) => string)[] = [
  (script) => `eval ${quoted(script)}`,
  (script) => `bash -c ${quoted(script)}`,
  (script) => `bash <<'END'\n${script}\nEND`,
  (script) => `printf '%s\\n' ${quoted(script)} > f0; bash f0`,
  (script) => `printf '%s\\n' '#!/usr/bin/env bash' ${quoted(script)} > f0; chmod +x f0; ./f0`,
  (script) => `source <(printf '%s\\n' ${quoted(script)})`,
  (script) => `f0() { ${script}\n}; f0`,
  (script) => `trap ${quoted(script)} EXIT`,
  (script) => `: "$(${script}\n)"`,
  (script) => `echo ${encoded(script)} | base64 -d | bash`,
  (script) => `let ${quoted(`a0[$(${script}\n)]`)}`,
  (script) => `read -rd '' v0 <<'END'\n${script}\nEND\neval "$v0"`,
  (script) => `printf '%s\\0' ${quoted(script)} | xargs -0 bash -c`,
  (script) => `case a in a) : ;& b) ${script}\n;; esac`,
  (script) => `coproc { ${script}\n}; wait`,
  (script) => `if false; then :; else ${script}\nfi`,
  (script) => `set -- ${quoted(script)}; shift 0; eval "$1"`,
]

/** Disguises inside other disguises, spread evenly over both lists from a place of its own. */
export function nestedDisguises(count: number, seed: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => {
    const disguise = DISGUISES[(seed * 31 + i * 97) % DISGUISES.length] ?? PLAIN
    const wrap = WRAPPINGS[(seed + i) % WRAPPINGS.length]
    const again = WRAPPINGS[(seed * 7 + i * 5) % WRAPPINGS.length]
    const once = wrap ? wrap(disguise) : disguise
    return i % 3 === 0 && again ? again(once) : once
  })
}
