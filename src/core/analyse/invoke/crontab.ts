import { MARK } from '../programs/grammar/roles.js'

const LINE = /^\s*(?:@\w+|(?:[\d*/,A-Za-z-]+\s+){4}[\d*/,A-Za-z-]+)\s+(\S.*)/
const LINES = new RegExp(`[\\n${MARK}]`)

/** Returns the commands of a crontab without times. An unescaped percent sign starts the command's input. */
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
