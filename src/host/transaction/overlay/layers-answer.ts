/** An answer of the script that mounts layers. */
export interface LayersAnswer {
  readonly kind: 'ready' | 'copied'
  /** Its pid; or the exit status of the copying. */
  readonly number: number
}

/** Parses the output of the script: the answer is its last complete line. Null if there is none. Never throws. */
export function parseLayersAnswer(heard: string): LayersAnswer | null {
  const at = heard.lastIndexOf('\n', heard.length - 2)
  const last = heard.endsWith('\n') ? heard.slice(at + 1, -1) : ''
  const [, kind, number] = /^(copied|ready) (\d{1,10})$/.exec(last) ?? []
  return kind === undefined ? null : { kind: kind === 'ready' ? kind : 'copied', number: Number(number) }
}
