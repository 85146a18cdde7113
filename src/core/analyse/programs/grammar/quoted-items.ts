/** Words and operators without quotes or expansions, so that an inserted argument stays one word. */
const WORDS = /^[\w./:=,+@%-]+(?: +[\w./:=,+@%{}<>|;&-]+)*$/

/**
 * Returns a template's command with an unknown argument: `gzip {}` becomes `gzip "$1"`. Null if it is not plain words.
 */
export function withArgument(template: string, marker: string): string | null {
  if (!WORDS.test(template)) return null
  const marked = template.replaceAll(marker, '{}')
  const filled = marked.replace(/\{(?:\d+|\.|\/|\/\/|\/\.|#|%)?\}/g, '"$1"')
  return filled === marked ? `${marked} "$1"` : filled
}
