/** Words, and operators between them: no quotes, in which what is put there would stand, and no expansions. */
const WORDS = /^[\w./:=,+@%-]+(?: +[\w./:=,+@%{}<>|;&-]+)*$/

/**
 * The text of a command that is given an argument which is not known: `gzip {}` and `gzip` are `gzip "$1"`. Null where the text is more
 * than words, for then what is put into it could be more than an argument; or where the argument would be the command.
 */
export function withArgument(template: string, marker: string): string | null {
  if (!WORDS.test(template)) return null
  const marked = template.replaceAll(marker, '{}')
  const filled = marked.replace(/\{(?:\d+|\.|\/|\/\/|\/\.|#|%)?\}/g, '"$1"')
  return filled === marked ? `${marked} "$1"` : filled
}
