import { without } from '../grammar/arguments.js'
import { after, foreign, nameOf, runsShell } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect, Family, Grammar } from '../grammar/roles.js'

const SHELL_ESCAPE =
  /^[:\s]*(?:(?:silent|sil|execute|exe|read|r|write|w|terminal|term|te|[%.,$\d])!?\s*['"]?)*(?::?!|(?:terminal|term|te)!?\s)/

/** An ex command. A shell runs the text after `!`; anything else is editor code. */
function exCommand(command: Arg): readonly Effect[] {
  const code: Effect = { does: 'foreign', reason: 'a command for the editor', at: command.span }
  for (let at = 0; at >= 0; at = command.prefix.indexOf('|', at) + 1 || -1) {
    const found = SHELL_ESCAPE.exec(command.prefix.slice(at))
    if (found) return [runsShell(without(command, at + found[0].length), 'vim :!'), code]
  }
  return [code]
}

function vim(call: Call): readonly Effect[] {
  const given = call.options.flatMap(({ name, value }) => ((name === '-c' || name === '--cmd') && value ? [value] : []))
  const plus = call.operands.flatMap((arg) => after(arg, '+') ?? [])
  const exMode = nameOf(call) === 'ex' || call.has('-e', '-E')
  const keys = call.has('-s') && !exMode
  const fromInput = exMode || call.operands.some((arg) => arg.text === '-')
  const files = call.operands.filter((arg) => !/^(?:\+|-$)/.test(arg.prefix))
  return [
    ...[...given, ...plus].flatMap((command) => (/^(?:\d*|\/.*)$/.test(command.text ?? '!') ? [] : exCommand(command))),
    ...files.flatMap((path): Effect[] => [
      { does: 'read', path, recursive: false },
      { does: 'write', path, recursive: false },
    ]),
    ...(fromInput ? [foreign('commands on its standard input')] : []),
    ...(keys ? [foreign('keys typed by a file')] : []),
  ]
}

/** `less +COMMAND`, `more +COMMAND`: a shell runs the text after `!` and `|`. */
function pager(call: Call): readonly Effect[] {
  return call.operands.flatMap((arg): readonly Effect[] => {
    const command = after(arg, '+')
    if (!command) return [{ does: 'read', path: arg, recursive: false }]
    const shell = /^\+?(?:[!#]|\|.)/.exec(command.prefix)
    if (shell) return [runsShell(without(command, shell[0].length), `${nameOf(call)} +!`)]
    return /^\+?[\dgGFp%/?&\w.^$-]*$/.test(command.text ?? '!')
      ? []
      : [{ does: 'foreign', reason: 'a command for the pager', at: arg.span }]
  })
}

const OPENS: Grammar = {
  rest: 'update',
  foreign: 'an editor with its commands and settings',
}

/** Editors and pagers. All of them can run commands. */
export const editors: Family = [
  {
    names: 'vi vim nvim view vimdiff nvimdiff gvim gview gvimdiff ex rvim rview evim eview vim.tiny vim.basic nvi',
    flags:
      '-v -e -E -d -y -R -Z -m -M -b -l -C -N -D -n -r -L -A -H -F -f -g -x -X -s --noplugin --clean --headless --embed --not-a-term --ttyfail --version --help -h --literal --nofork --remote --remote-silent --remote-wait --remote-tab --serverlist',
    values: {
      '-c --cmd -T -t --servername --remote-expr --remote-send --echo-wid --socketid --listen --server': 'text',
      '-S -u -U -l': 'code-file',
      '-i -q': 'read',
      '-w -W --startuptime': 'write',
    },
    optional: { '-o -O -p -V': 'text' },
    unlisted: 'foreign',
    effects: vim,
  },
  {
    names: 'ed red',
    values: { '-p --prompt': 'text' },
    operands: ['update'],
    foreign: 'commands on its standard input',
  },
  {
    names: 'nano rnano pico',
    flags:
      '-A -B -D -E -F -G -H -I -K -L -M -N -O -P -R -S -U -V -W -Z -a -b -c -d -e -g -h -i -j -k -l -m -n -p -q -t -u -v -w -x -y -z -% -_ -0 -/ --backup --boldtext --tabstospaces --linenumbers --view --restricted --nowrap --mouse --softwrap --autoindent --help --version',
    values: {
      '-s --speller': 'shell',
      '-C --backupdir': 'write',
      '-J --guidestripe -Q --quotestr -T --tabsize -X --wordchars -Y --syntax -o --operatingdir -r --fill': 'text',
      '-f --rcfile': 'code-file',
    },
    rest: 'update',
  },
  {
    names: 'emacs emacsclient xemacs mg jmacs zile',
    values: {
      '-eval --eval -e --execute -execute': 'code',
      '-l --load -load --script -script -x': 'code-file',
      '-f --funcall -funcall -d --display -u --user -a --alternate-editor -s --socket-name -T --tramp': 'text',
      '--insert --file --find-file --visit': 'read',
      '--chdir': 'cwd',
    },
    style: 'single-dash',
    rest: 'update',
    foreign: 'an editor with its commands and settings',
    unlisted: 'ignore',
  },
  {
    names: 'less more most pg lv',
    flags: '-a -A -B -c -C -d -e -E -f -F -i -I -J -K -L -m -M -n -Q -r -R -s -S -u -U -V -w -X -l -p --help --version',
    values: {
      '-b -h -j -x -y -z -P -D -t -# --buffers --max-back-scroll --jump-target --pattern --prompt --tabs --max-forw-scroll --window --shift --color --tag --header --lines':
        'text',
      '-k --lesskey-file --lesskey-src': 'code-file',
      '--lesskey-content': 'code',
      '-o -O --log-file --LOG-FILE': 'write',
      '-T --tag-file': 'read',
    },
    unlisted: 'ignore',
    effects: pager,
    writesOnlyNamedPaths: true,
  },
  {
    names: 'man gman',
    flags:
      '-f --whatis -k --apropos -K --global-apropos -w --where --path --location -W --where-cat --location-cat -d --debug -D --default -c --catman -a --all -u --update --no-subpages -i --ignore-case -I --match-case --regex --wildcard --names-only --no-hyphenation --nh --no-justification --nj -Z --ditroff -t --troff -7 --ascii -h -? --help --usage -V --version',
    values: {
      '-P --pager': 'shell',
      '-C --config-file': 'code-file',
      '-R --recode -L --locale -m --systems -M --manpath -S -s --sections -e --extension -r --prompt -E --encoding -p --preprocessor --warnings':
        'text',
    },
    optional: {
      '-H --html': 'shell',
      '-T --troff-device -X --gxditview --warnings': 'text',
      '-l --local-file': 'read',
    },
    when: { '-l --local-file': { rest: 'read' } },
    writesOnlyNamedPaths: true,
  },
  {
    names:
      'joe jstar jpico rjoe jed micro kak hx helix amp vis acme code codium code-insiders cursor subl gedit kate kwrite mousepad xed gnome-text-editor pluma geany leafpad atom zed lapce notepadqq',
    ...OPENS,
  },
  {
    names:
      'sensible-editor editor select-editor sensible-pager pager sensible-browser x-www-browser xdg-open open wslview run-mailcap runmailcap see',
    foreign: 'the program from the settings',
    rest: 'read',
  },
  { names: 'ranger nnn lf mc vifm yazi broot', foreign: 'commands bound to its keys' },
]
