import { createTwoFilesPatch } from 'diff'
import type { FileChange } from './changed-files.js'

/** The exact edit as a unified diff. Line ends other than \n are shown as part of the line. */
export function diffOf({ path, before, after }: FileChange): string {
  const patch = createTwoFilesPatch(
    before === null ? '/dev/null' : path,
    after === null ? '/dev/null' : path,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    { context: 2 },
  )
  return patch.replace(/^(?:Index: .*\n)?=+\n/, '')
}
