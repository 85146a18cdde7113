import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Programs that only record their execution. */
export interface Recorders {
  /** Directory with one for each name, the first on PATH. */
  readonly directory: string
  /** Directory of the records, as they see it. */
  readonly records: string
}

const SHELL = (file: string): string => `#!/bin/sh\necho "\${0##*/}" >> ${file}\n`

/** Records also when it is run through the dynamic loader, which runs no scripts. */
const C = (file: string): string => `#include <stdio.h>
#include <string.h>
int main(int c, char **v) { FILE *f = fopen("${file}", "a"); char *n = c ? strrchr(v[0], '/') : 0;
  if (f) { fprintf(f, "%s\\n", n ? n + 1 : c ? v[0] : "?"); fclose(f); } return 0; }
`

export function recordersIn(top: string, names: readonly string[]): Recorders {
  const [directory, records] = [join(top, 'bin'), join(top, 'records')]
  for (const made of [directory, records]) mkdirSync(made)
  const file = join(records, 'executed')
  const one = join(top, 'recorder')
  writeFileSync(`${one}.c`, C(file))
  if (spawnSync('gcc', ['-o', one, `${one}.c`]).status !== 0) writeFileSync(one, SHELL(file), { mode: 0o755 })
  for (const name of names) copyFileSync(one, join(directory, name))
  return { directory, records }
}

/** Returns the names of programs that were recorded in a directory since the last call. */
export function executedIn(directory: string): readonly string[] {
  const file = join(directory, 'executed')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  rmSync(file, { force: true })
  return [...new Set(text.split('\n').filter(Boolean))]
}

/** Matches a file of many programs. A recorder in its place would record them all. */
const MULTI_CALL = /\/(busybox|toybox|coreutils)$/

/** Replaces system programs by recorders. Only for a mount namespace of our own, which ends with this process. */
export function replaceSystemPrograms(
  { directory }: Recorders,
  names: readonly string[],
  places: readonly string[],
): void {
  const found = places.flatMap((place) => names.map((name) => join(place, name))).filter((path) => existsSync(path))
  const files = new Set(found.map((path) => realpathSync(path)).filter((path) => !MULTI_CALL.test(path)))
  for (const file of files) execFileSync('mount', ['--bind', join(directory, names[0] ?? ''), file])
}
