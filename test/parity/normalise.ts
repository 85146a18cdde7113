type Replacement = readonly [RegExp, string]

/** Expected differences between two runs of a command, by the name in `# ignore:`. */
const NORMALISERS: Readonly<Record<string, readonly Replacement[]>> = {
  hashes: [[/\b[0-9a-f]{7,64}\b/g, '<hash>']],
  times: [
    [/\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(\.\d+)?)?( ?[+-]\d\d:?\d\d\b|Z)?/g, '<time>'],
    [/\b[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}( [+-]\d{4})?/g, '<time>'],
    [/\b[A-Z][a-z]{2} [ \d]\d (\d\d:\d\d| \d{4})/g, '<time>'],
    [/\b\d\d:\d\d:\d\d(\.\d+)?/g, '<time>'],
    [/\b\d+ (second|minute|hour)s? ago\b/g, '<time> ago'],
    [/\bduration_ms:? [\d.]+/g, 'duration_ms <time>'],
    [/\b\d+(\.\d+)? ?(ns|µs|ms|s|sec|secs|second|seconds|m)\b/g, '<time>'],
    [/\b\d+m\d+\.\d+s/g, '<time>'],
  ],
  pids: [
    [/^\[(\d+)\] \d+$/gm, '[$1] <pid>'],
    [/(line \d+: +)\d+ (?=\S)/g, '$1<pid> '],
    [/(line \d+): +<pid>/g, '$1: <pid>'],
    [/\b(pid|PID)([ =:(]+)\d+/g, '$1$2<pid>'],
  ],
  ports: [[/(:|\bport )\d{4,5}\b/g, '$1<port>']],
  temp: [
    [/\btmp\.[A-Za-z0-9]{6,}/g, '<temp>'],
    [/\/tmp\/tmp[a-z0-9_]{8}\b/g, '/tmp/<temp>'],
    [/(\/tmp\/[\w-]+[.-])[A-Za-z0-9_]{6,10}\b/g, '$1<temp>'],
  ],
  addresses: [[/\b0x[0-9a-f]+\b/g, '<address>']],
}

/** Replaces what the named normalisers cover. `order` sorts the lines too. Throws on an unknown name. */
export function normalise(text: string, names: readonly string[]): string {
  let normal = text
  for (const name of names) {
    if (name === 'order') continue
    const replacements = NORMALISERS[name]
    if (!replacements) throw new Error(`there is no normaliser "${name}"`)
    for (const [pattern, replacement] of replacements) normal = normal.replace(pattern, replacement)
  }
  return names.includes('order') ? normal.split('\n').sort().join('\n') : normal
}

/** Removes the line by which Cordon tells how to take back the changes of a command that failed. */
export const withoutUndoLine = (stderr: string): string => stderr.replace(/^.*; cordon undo \S+\n/m, '')
