import { describe, expect, it } from 'vitest'
import { readEnvelope } from '../../../src/surface/shell/envelope.js'
import { commandOf } from '../../../src/surface/shell/shell-words.js'

const BEFORE =
  "source /h/.claude/shell-snapshots/snapshot-bash-1-a.sh 2>/dev/null || true && { \\builtin shopt -u extglob || \\builtin setopt NO_EXTENDED_GLOB NO_BARE_GLOB_QUAL; } >/dev/null 2>&1 || true && { \\builtin unalias -- 'which'; \\builtin unset -f -- 'which'; } >/dev/null 2>&1 || true && "
const CWD = '/tmp/claude-4af1-cwd'
const claude = (word: string, after = `pwd -P >| ${CWD}`) => `${BEFORE}eval ${word} < /dev/null && ${after}`
const gemini = (command: string) =>
  `shopt -u promptvars nullglob extglob nocaseglob dotglob; _bgpids_file=/tmp/bg\n(\n  trap 'jobs -p > "$_bgpids_file"' EXIT\n${command}\n)\n__code=$?\nexit $__code`

describe('the envelope of Claude Code', () => {
  it.each([
    ["'ls -la'", 'ls -la'],
    ['pwd', 'pwd'],
    [`'echo "it'"'"'s"'`, `echo "it's"`],
    ['"a b"', 'a b'],
    ["'one\ntwo'", 'one\ntwo'],
    [`'cat <<E\n$(x)\nE'`, 'cat <<E\n$(x)\nE'],
  ])('around %s gives the command and the file for the directory', (word, script) => {
    expect(readEnvelope(claude(word))).toEqual({ script, cwdFile: CWD })
  })

  it.each([
    ['one command more at the end', `${claude('ls')} && sudo id`],
    ['one command more on a line of its own', `${claude('ls')}\nsudo id`],
    ['one command more before it', `sudo id && ${claude('ls')}`],
    ['another command in the group', claude('ls').replace("\\builtin unalias -- 'which'", 'sudo id')],
    ['a command that only a variable names', claude('ls').replace('\\builtin shopt', '$x')],
    ['`or` before the directory', claude('ls').replace(`&& pwd`, '|| pwd')],
    ['a substitution in the word', claude('"$(sudo id)"')],
    ['a substitution in the file', claude('ls', 'pwd -P >| "$(sudo id)"')],
    ['two words for eval', claude('ls id')],
    ['a variable before eval', claude('ls').replace('eval', 'X=1 eval')],
    ['another redirection', claude('ls').replace('< /dev/null', '> /etc/passwd')],
    ['a job in the background', `${claude('ls')} &`],
    ['an unclosed quote', `${claude('ls')} "`],
    ['another command in the place of pwd', claude('ls', `sudo id >| ${CWD}`)],
  ])('with %s is a command as a whole', (_, text) => {
    expect(readEnvelope(text)).toEqual({ script: text, cwdFile: null })
  })
})

describe('the envelope of Gemini CLI', () => {
  it.each(['ls -la', 'cd sub\npwd', "cat <<'E'\n)\nE", 'echo "$(date)" # end', 'sleep 5 &'])(
    'around %j gives the command',
    (command) => {
      expect(readEnvelope(gemini(command))).toEqual({ script: command, cwdFile: null })
    },
  )

  it.each([
    ['a command that closes it and goes on', gemini('ls\n)\nsudo id\n(true')],
    ['a command after it', `${gemini('ls')}\nsudo id`],
    ['another trap', gemini('ls').replace('jobs -p', 'sudo id')],
    [
      'a command in the assignment',
      gemini('ls').replace('/tmp/bg', '$(sudo id)').replace('_bgpids_file=', 'X=1 _bgpids_file='),
    ],
    ['a redirection of the whole', gemini('ls').replace('\n)\n', '\n) > /etc/x\n')],
    ['no command', gemini('')],
  ])('with %s is a command as a whole', (_, text) => {
    expect(readEnvelope(text).script).toBe(text)
  })
})

describe('the words of a shell', () => {
  it.each<readonly [readonly string[], string | null]>([
    [['ls -l'], 'ls -l'],
    [['-c', 'ls'], 'ls'],
    [['-lc', 'ls'], 'ls'],
    [['-l', '-c', 'ls'], 'ls'],
    [['-c', '-l', 'ls'], 'ls'],
    [['--norc', '--noprofile', '-c', 'ls'], 'ls'],
    [[], null],
    [['-c'], null],
    [['-l'], null],
    [['-l', 'script.sh'], null],
    [['script.sh', 'word'], null],
    [['-c', 'ls', 'name', 'word'], null],
    [['-x', '-c', 'ls'], null],
  ])('the words of a shell %j are read as %j', (words, command) => expect(commandOf(words)).toBe(command))
})
