import { parse, postprocess, preprocess } from 'micromark'

interface Block {
  info: string
  fences: number
  text: string
}

/**
 * Returns the fenced code blocks of a Markdown text in one language, in order, without blank ones: those that
 * CommonMark sees, in block quotes and list items too. Leaves out a block that is never closed, which may be half a
 * command.
 */
export function extractBlocks(reply: string, language = 'bash'): string[] {
  const blocks: Block[] = []
  let open: Block | null = null
  for (const [step, token, context] of postprocess(
    parse()
      .document()
      .write(preprocess()(reply, undefined, true)),
  )) {
    if (token.type === 'codeFenced') {
      if (step === 'enter') open = { info: '', fences: 0, text: '' }
      else if (open !== null) blocks.push(open)
      if (step === 'exit') open = null
    } else if (open !== null && step === 'exit') take(open, token.type, () => context.sliceSerialize(token))
  }
  return blocks.flatMap(({ info, fences, text }) => {
    const code = text.replace(/^\n|\n$/g, '')
    return info.toLowerCase() === language.toLowerCase() && fences === 2 && code.trim() !== '' ? [code] : []
  })
}

function take(block: Block, type: string, slice: () => string): void {
  if (type === 'codeFencedFence') block.fences += 1
  else if (type === 'codeFencedFenceInfo') block.info = slice()
  else if (type === 'codeFlowValue') block.text += slice()
  else if (type === 'lineEnding') block.text += '\n'
}
