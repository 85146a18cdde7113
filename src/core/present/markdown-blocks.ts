const OPENING = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^\s`]*)/
const COMMENT = /^ {0,3}<!--/

interface Fence {
  readonly indent: number
  readonly mark: string
  readonly isBash: boolean
  readonly lines: string[]
}

/**
 * The fenced bash blocks of a Markdown text, in order, blank ones left out. Fences are read as CommonMark reads them,
 * so that what runs is what a reader sees as a block; one that is never closed may be half a command and is left out.
 * So is what stands in an HTML comment, which no reader sees.
 */
export function bashBlocks(reply: string): string[] {
  const blocks: string[] = []
  let fence: Fence | null = null
  let inComment = false
  for (const line of reply.split(/\r\n|\n|\r/)) {
    if (fence !== null) {
      if (closes(line, fence)) {
        if (fence.isBash) blocks.push(fence.lines.join('\n'))
        fence = null
      } else fence.lines.push(unindent(line, fence.indent))
    } else if (inComment || COMMENT.test(line)) inComment = !line.includes('-->')
    else fence = opening(line)
  }
  return blocks.filter((block) => block.trim() !== '')
}

function opening(line: string): Fence | null {
  const [, indent, mark, word] = OPENING.exec(line) ?? []
  if (indent === undefined || mark === undefined) return null
  return { indent: indent.length, mark, isBash: word?.toLowerCase() === 'bash', lines: [] }
}

function closes(line: string, { mark }: Fence): boolean {
  const text = line.replace(/^ {0,3}/, '').trimEnd()
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length)
}

/** A fence that is indented gives its indentation to its lines, as far as they have it. */
function unindent(line: string, indent: number): string {
  let at = 0
  while (at < indent && line[at] === ' ') at += 1
  return line.slice(at)
}
