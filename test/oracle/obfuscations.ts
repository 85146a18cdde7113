import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The command of every obfuscated script. */
export const PLAIN = 'rm -rf /'

/**
 * Obfuscated forms of that command, one JSON string per line: quoting, expansions, indirection, files, traps, prompts.
 */
export const OBFUSCATIONS: readonly string[] = readFileSync(join(import.meta.dirname, 'obfuscations.jsonl'), 'utf8')
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

/** Returns obfuscated scripts inside others, spread evenly over both lists. */
export function nestedObfuscations(count: number, seed: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => {
    const obfuscated = OBFUSCATIONS[(seed * 31 + i * 97) % OBFUSCATIONS.length] ?? PLAIN
    const wrap = WRAPPINGS[(seed + i) % WRAPPINGS.length]
    const again = WRAPPINGS[(seed * 7 + i * 5) % WRAPPINGS.length]
    const once = wrap ? wrap(obfuscated) : obfuscated
    return i % 3 === 0 && again ? again(once) : once
  })
}
