import { MARK } from './programs/knowledge.js'

const LINE = /^\s*(?:@\w+|(?:[\d*/,A-Za-z-]+\s+){4}[\d*/,A-Za-z-]+)\s+(\S.*)/
const LINES = new RegExp(`[\\n${MARK}]`)

/**
 * The commands of a table of cron, for a shell: what stands behind the times. Variables and comments are none; what stands behind a
 * percent sign is input for the command, unless that is escaped.
 */
export const tableCommands = (text: string): string =>
  text
    .split(LINES)
    .flatMap(
      (line) =>
        LINE.exec(line)?.[1]
          ?.replace(/(?<!\\)%.*/, '')
          .replaceAll('\\%', '%') ?? [],
    )
    .join('\n')
