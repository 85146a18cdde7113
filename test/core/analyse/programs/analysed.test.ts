import { describe, expect, it } from 'vitest'
import { analyse } from '../../../../src/core/analyse/analyse.js'
import { type Facts, noAnswers } from '../../../../src/core/model/run/facts.js'

const factsOf = (script: string): Facts =>
  analyse({ mode: 'shell', script }, { cwd: '/work', home: '/home/u', env: [] }, noAnswers()).facts
const programsOf = (script: string): readonly (string | null)[] =>
  factsOf(script)
    .invocations.filter((i) => !i.implied)
    .map((i) => i.program)
    .filter((program) => program !== 'sh')
const pathsOf = (list: Facts['writes']): readonly string[] => list.map((fact) => fact.path)

/** A destructive command inside an option, with the programs that must be listed, outermost first, without `sh`. */
const SEEN: readonly (readonly [string, readonly string[]])[] = [
  ["tar cf a --checkpoint=1 --checkpoint-action=exec='rm -rf /' .", ['tar', 'rm']],
  ["git -c core.pager='rm -rf /' log", ['git', 'rm']],
  ["git -c alias.x='!f() { rm -rf /; }; f' x", ['git', 'rm']],
  ['git -c alias.y=\'rebase -x "rm -rf /"\' y', ['git', 'git', 'rm']],
  ["git rebase -x 'sudo id' main", ['git', 'sudo', 'id']],
  ['rsync -e \'bash -c "rm -rf /"\' a b:', ['rsync', 'bash', 'rm']],
  ["sed '1e rm -rf /' f", ['sed', 'rm']],
  ['awk \'BEGIN { system("rm -rf /") }\'', ['awk', 'rm']],
  ["vim -c ':!rm -rf /' f", ['vim', 'rm']],
  ["gcc -wrapper 'sh,-c,rm -rf /' x.c", ['gcc', 'rm']],
  ["man --html='rm -rf /' ls", ['man', 'rm']],
  ["zip a.zip f -T -TT 'rm -rf / #'", ['zip', 'rm']],
  ["sqlite3 x '.shell rm -rf /'", ['sqlite3', 'rm']],
  ['docker run -v /:/m alpine rm -rf /m', ['docker', 'rm']],
  ['kubectl exec p -- sh -c "rm -rf /"', ['kubectl', 'rm']],
  ["npx -c 'rm -rf /'", ['npx', 'rm']],
  ['ip netns exec x rm -rf /', ['ip', 'rm']],
  ["tmux new -d 'rm -rf /'", ['tmux', 'rm']],
  ["apt-get update -o APT::Update::Pre-Invoke::='rm -rf /'", ['apt-get', 'rm']],
  ["psql -c '\\! rm -rf /'", ['psql', 'rm']],
]

/** Data that looks like a command. */
const DATA = [
  'git commit -m "rm -rf /"',
  "grep -r 'sudo rm' .",
  "sed 's/rm -rf/e sudo/' f",
  'awk \'/system/ { print "system(id) | sh" }\' f',
  'jq --arg x "rm -rf /" .x f',
  'rg \'system("rm")\' src',
  'curl -d "rm -rf /" https://example.com/',
]

describe('programs inside options of programs', () => {
  it.each(SEEN)('a program inside an option is listed: %s', (script, programs) => {
    expect(programsOf(script)).toEqual(programs)
  })

  it.each(SEEN.filter(([script, programs]) => programs.at(-1) === 'rm' && !/^(?:docker|kubectl)/.test(script)))(
    'a program inside an option reports its paths: %s',
    (script) => {
      expect(pathsOf(factsOf(script).deletes)).toContain('/')
    },
  )

  it.each(DATA)('data that looks like a command runs nothing: %s', (script) => {
    expect(programsOf(script)).toHaveLength(1)
    expect(factsOf(script).opaque.filter((spot) => spot.kind === 'unknown')).toEqual([])
  })
})

describe('changes of programs', () => {
  it('a program that only reads has no write', () => {
    for (const script of ['git status', 'ls -la', 'cat f', "awk '{print $1}' f", 'grep x f', 'docker ps', 'tar tf a'])
      expect([script, factsOf(script).writesAnything]).toEqual([script, false])
  })

  it('a program that writes, or an unlisted one, can have a write', () => {
    for (const script of [
      'git commit -m x',
      'touch f',
      'sed -i s/a/b/ f',
      'npm install',
      'make',
      'no-such-program',
      'curl -O h/x',
    ])
      expect([script, factsOf(script).writesAnything]).toEqual([script, true])
  })

  it('a path is relative to the directory option of its program', () => {
    expect(pathsOf(factsOf('tar xf a.tar -C /opt/x').writes)).toEqual(['/opt/x'])
    expect(pathsOf(factsOf('git -C /srv/r clean -fdx').deletes)).toEqual(['/srv/r'])
    expect(pathsOf(factsOf('wget -P dl http://h/x').writes)).toEqual(['/work/dl', '/work/dl/x'])
  })
})
