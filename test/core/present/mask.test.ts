import { describe, expect, it } from 'vitest'
import { maskSecrets } from '../../../src/core/present/mask.js'
import { fc } from '../../property.js'
import { cpuMs } from './cpu-time.js'

const S = 'Zq8hT3vNwX5yB7cD9eF1'

describe('masking', () => {
  it.each([
    `API_KEY=${S}`,
    `export GITHUB_TOKEN=${S} && x`,
    `DB_PASSWORD="${S} with spaces"`,
    `{"client_secret": "${S}"}`,
    `password: ${S}`,
    `aws_secret_access_key = ${S}`,
    `mysql -u root -p${S} db`,
    `mysql --password ${S}`,
    `tool --api-key ${S} --verbose`,
    `tool --auth-token=${S}`,
    `curl -H 'Authorization: Bearer ${S}' x`,
    `curl -H "authorization: token ${S}"`,
    `curl -H "X-Api-Key: ${S}"`,
    `curl -u me:${S} x`,
    `curl --user me:${S} x`,
    `Cookie: session=${S}; other=1`,
    `git clone https://me:${S}@example.com/x.git`,
    `git clone https://me:p@${S}@example.com/x.git`,
    `psql postgres://me:${S}@db/x`,
    `git clone https://${S}@example.com/x.git`,
    `ghp_${S}${S}`,
    `github_pat_${S}`,
    `glpat-${S}`,
    `xoxb-123-${S}`,
    `npm_${S}${S}`,
    `sk-proj-${S}`,
    `sk_live_${S}`,
    `AIza${S}${S}`,
    `eyJhbGciOiJI.${S}.${S}`,
    `sshpass -p ${S} ssh x`,
    `-----BEGIN RSA PRIVATE KEY-----\n${S}\n-----END RSA PRIVATE KEY-----`,
    `echo '-----BEGIN OPENSSH PRIVATE KEY-----\n${S}`,
  ])('hides the secret in %j', (text) => {
    const masked = maskSecrets(text)
    expect(masked).not.toContain(S)
    expect(masked).toContain('***')
  })

  it('hides an access key id', () => {
    expect(maskSecrets('AKIAIOSFODNN7EXAMPLE x')).toBe('*** x')
  })

  it.each([
    'git commit -m "fix the parser"',
    'ls -la /home/user',
    'npm install --save-dev vitest',
    'git clone https://github.com/a/b.git',
    'git clone ssh://git@example.com/a/b.git',
    'PWD=/home/x; cd $PWD',
    'author: someone',
    'grep -p pattern file',
    'echo tokens and passwords',
    'ssh -p 22 host',
    'mkdir -p a/b',
  ])('text without a secret is not masked: %j', (text) => {
    expect(maskSecrets(text)).toBe(text)
  })

  it('keeps what surrounds a secret', () => {
    expect(maskSecrets(`A=1 API_TOKEN=${S} run --fast`)).toBe('A=1 API_TOKEN=*** run --fast')
    expect(maskSecrets(`curl -H 'Authorization: Bearer ${S}' https://x.example`)).toBe(
      "curl -H 'Authorization: Bearer ***' https://x.example",
    )
  })

  it('changes nothing when applied again', () => {
    const piece = fc.constantFrom(
      'token',
      'password',
      'secret',
      'api_key',
      '=',
      ':',
      ' ',
      '"',
      "'",
      '--',
      '-u',
      '-p',
      'mysql',
      'Authorization',
      'Bearer',
      'Basic',
      'Cookie:',
      'https://',
      '@',
      'user',
      'x.y',
      '/',
      'ghp_',
      'sk-',
      'AKIA',
      'eyJ',
      '.',
      S,
      '***',
      '\n',
      ';',
      '*',
      '-----BEGIN PRIVATE KEY-----',
      '-----END PRIVATE KEY-----',
      'sshpass',
      '{',
      '}',
      ',',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const once = maskSecrets(pieces.join(''))
        expect(maskSecrets(once)).toBe(once)
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    'a',
    'a.',
    'a://',
    'a://a:',
    'token',
    'token=',
    'token"',
    '--a-',
    '--pass',
    'eyJ',
    'eyJaaaaaaaa.',
    'sk-',
    'ghp_',
    'mysql ',
    'mysql -',
    'Bearer ',
    'cookie:',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN ',
    ' -u a',
    'Authorization: ',
    '"',
    'AIza',
    'SG.aaaaaaaaaaaaaaaaaaaa',
    ' ',
  ])('takes linear time on text made of %j', (unit) => {
    const hostile = (size: number): string => unit.repeat(Math.ceil(size / unit.length))
    const cost = (size: number): number =>
      Math.min(...[1, 2, 3].map(() => cpuMs(() => void maskSecrets(hostile(size)))))
    // Eight times the text may cost twenty times as much on a busy machine; a quadratic reader would cost sixty-four
    // times.
    expect(cost(160_000)).toBeLessThan(20 * Math.max(cost(20_000), 5))
  })
})
