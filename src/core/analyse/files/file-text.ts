import type { Analysis } from '../analysis/analysis.js'
import { type Input, Sink } from '../state/streams.js'
import { oneOf } from '../values/one-of.js'
import { unknown, type Value } from '../values/value.js'
import { holdsOwnText } from './mentioned-words.js'
import { linkedPath } from './physical-path.js'
import { isWritten } from './write-certainty.js'

/** Programs that copy their input to a file named by an option or operand. */
const COPIES_INPUT = /^(?:sort|uniq|iconv|xxd|dd|ed|ex|vi|vim|openssl|gpg|base64)$/

/** Returns the text that the script wrote to a file, or an unknown value that names the file. */
export function textOfFile(analysis: Analysis, path: string | null): ReturnType<Input['peek']> {
  if (path === null) return unknown('input', 'the text of a file')
  if (path === '/dev/null') return ''
  if (analysis.files.hasFiles) {
    const written =
      analysis.files.texts.get(path) ?? analysis.files.texts.get(linkedPath(analysis, path, '/', true) ?? '')
    if (written?.isMixed) return { ...unknown('made', 'the text of a file'), path, alternatives: textsOf(written.text) }
    if (written?.isPartial && written.text !== '' && analysis.answers.paths.get(path)?.kind !== 'missing')
      analysis.findings.reportUnknown('the file may hold more than the script wrote to it', null)
    if (written && !written.hasEarlierText && !(written.isPartial && written.text === ''))
      return asWritten(analysis, path, written)
    // The file can have been empty before the script appended.
    if (typeof written?.text === 'string' && written.text !== '')
      return { ...unknown('input', 'the text of a file'), path, alternatives: [written.text] }
  }
  const isWrittenHere = analysis.findings.hasWrites && analysis.files.writers.has(path)
  const isOwn =
    holdsOwnText(analysis, path) || (isWrittenHere && COPIES_INPUT.test(analysis.files.writers.get(path) ?? ''))
  const source = isOwn ? 'made' : isWrittenHere ? 'output' : 'input'
  return { ...unknown(source, 'the text of a file'), path }
}

const textsOf = (text: Value): readonly string[] => (typeof text === 'string' ? [text] : (text.alternatives ?? []))

/** Returns the text, or that it may be missing: the directory can be absent or refuse writes. */
function asWritten(analysis: Analysis, path: string, { text, conditionalDepth }: Sink): Value {
  const isSure =
    conditionalDepth <= analysis.certainty.conditionalDepth || analysis.answers.paths.get(path)?.kind === 'missing'
  // The earlier text may still be there.
  if (!isSure) return oneOf([text, '', { ...unknown('input', 'the text of a file'), path }])
  if (typeof text !== 'string' || text === '') return text
  const how = conditionalDepth > analysis.certainty.conditionalDepth ? 'unless missing' : isWritten(analysis, path)
  if (how === 'surely') return text
  if (how === 'unless missing') return oneOf([text, ''])
  return { ...unknown('input', 'the text of a file'), path, alternatives: [text, ''] }
}

/** Returns the sink of a written file. In conditional code, and without truncation, its earlier text stays too. */
export function fileSink(
  analysis: Analysis,
  path: string | null,
  append: boolean,
  partial = false,
  isKept = false,
): Sink | null {
  if (path === null || analysis.certainty.isUnreachable) return path === null ? null : new Sink()
  if (analysis.calls.running.some((call) => call.name === path))
    analysis.findings.reportUnknown('a script changes itself while it runs', null)
  const before = analysis.files.texts.get(path)
  const isSure = analysis.certainty.conditionalDepth === 0 && !isKept
  if (before && (append || !isSure)) {
    if (!append) before.mayBegin()
    else if (isSure) before.grow()
    else if (before.branch !== analysis.certainty.branch) before.mayGrow()
    before.branch = analysis.certainty.branch
    return before
  }
  const sink = new Sink()
  sink.branch = analysis.certainty.branch
  sink.hasEarlierText = append && !partial
  sink.isPartial = partial
  sink.conditionalDepth = isKept ? Number.POSITIVE_INFINITY : analysis.certainty.conditionalDepth
  const linked = linkedPath(analysis, path, '/', true)
  analysis.files.hasFiles = true
  overwrite(analysis, path, sink)
  if (linked !== null) overwrite(analysis, linked, sink)
  return sink
}

function overwrite(analysis: Analysis, path: string, sink: Sink): void {
  analysis.files.texts.set(path, sink)
  analysis.files.copies.delete(path)
  analysis.files.writers.delete(path)
}
