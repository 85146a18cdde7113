const MASK = '***'

/**
 * One kind of secret: what to find, and what of it stays. Every repetition is bounded or cannot overlap with another
 * start.
 */
type Secret = readonly [pattern: RegExp, replacement: string]

const VALUE = String.raw`(?:"[^"\n]{0,4096}"?|'[^'\n]{0,4096}'?|[^\s;&|,"'<>(){}]{1,4096})`
const NAME =
  'passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|[_-]pwd|[_-]auth'

const SECRETS: readonly Secret[] = [
  [/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g, MASK],
  // Userinfo of a URL: up to the last `@` before the path, since people paste passwords with an `@` in them.
  [/([a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@'"]{0,100}:)[^\s/'"]{1,256}@/gi, `$1${MASK}@`],
  [/([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/:@'"*]{20,256}@/gi, `$1${MASK}@`],
  [
    /(\b(?:proxy-)?authorization["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:(?:bearer|basic|token|digest|negotiate)[ \t]{1,3})?)[^\s"',;]{1,4096}/gi,
    `$1${MASK}`,
  ],
  [/(\b(?:set-)?cookie:[ \t]{0,3})[^\n"']{1,4096}/gi, `$1${MASK}`],
  [/(\bbearer[ \t]{1,3})[A-Za-z0-9._~+/=-]{8,4096}/gi, `$1${MASK}`],
  // `name = value`, `"name": "value"`, `NAME=value`: what stands before the telling part of the name does not matter.
  [
    new RegExp(String.raw`((?:${NAME})[A-Za-z0-9_-]{0,40}["']?[ \t]{0,3}(?:==?|:=?)[ \t]{0,3})${VALUE}`, 'gi'),
    `$1${MASK}`,
  ],
  [
    new RegExp(
      String.raw`(--?(?:[a-z]{1,20}-){0,3}(?:pass|${NAME})(?:-[a-z]{1,20}){0,2}[ \t]{1,3})(?!-)${VALUE}`,
      'gi',
    ),
    `$1${MASK}`,
  ],
  [/((?:^|\s)(?:-u|--user|--proxy-user)(?:[ \t]{1,3}|=)["']?[^\s:"'/]{1,100}:)[^\s"']{1,256}/g, `$1${MASK}`],
  [/(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,100}?\s-p)[^\s"'-][^\s]{0,255}/g, `$1${MASK}`],
  [/(\bsshpass[ \t]{1,3}-p[ \t]{0,3})[^\s]{1,255}/g, `$1${MASK}`],
  [/(?:gh[pousr]_|github_pat_|npm_|hf_|glpat-|dop_v1_|rubygems_|shpat_)[A-Za-z0-9_]{16,}/g, MASK],
  [/(?<![A-Za-z0-9_-])(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g, MASK],
  [/(?<![A-Za-z0-9_-])(?:xox[a-z]|xapp|glpat|pypi)-[A-Za-z0-9_-]{10,}/g, MASK],
  [/(?<![A-Za-z0-9])(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])/g, MASK],
  [/(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{30,}/g, MASK],
  [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, MASK],
  [/(?<![A-Za-z0-9_-])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g, MASK],
  [/(?<![A-Za-z0-9])AGE-SECRET-KEY-1[A-Z0-9]{20,}/g, MASK],
]

/**
 * Text with everything that looks like a secret replaced by `***`. Masking twice gives the same text; time is linear
 * in the length. For logs and the audit log; not complete: a secret that looks like an ordinary word stays.
 */
export function maskSecrets(text: string): string {
  let masked = text
  // One mask can bring another pattern's parts together (`tokenCookie:x`): go on until nothing changes.
  for (let round = 0; round < ROUNDS; round++) {
    const again = maskOnce(masked)
    if (again === masked) break
    masked = again
  }
  return masked
}

const ROUNDS = 8

const maskOnce = (text: string): string =>
  SECRETS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text)
