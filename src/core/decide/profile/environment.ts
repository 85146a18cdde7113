import { isInside as isUnder } from '../../model/basics/path.js'
import type { RuleMatch } from '../../model/policy/decision.js'
import type { EnvFact, Invocation } from '../../model/run/facts.js'
import { type DecideInput, match } from '../match/input.js'
import { hostOf, isLocalHost, isOwnEngine } from '../match/local-host.js'

/** Harmless values of variables that name a program. */
const HARMLESS_PROGRAM =
  /^(?:|none|cat|true|false|:|less|more|most|vi|vim|nvim|nano|emacs|ed|less -[A-Za-z]+|code --wait)$/
/** Options of node. A package that it loads comes from the project, as its code does: `--import tsx`. */
const HARMLESS_NODE_OPTION =
  /^(?:(?:-r|--(?:require|import|loader|experimental-loader))(?:=@?\w[\w.-]*(?:\/\w[\w.-]*)*)?|@?\w[\w.-]*(?:\/\w[\w.-]*)*|--inspect(?:-brk|-wait)?(?:=[\w.:]*)?)$|^--(?:max-old-space-size|max-semi-space-size|stack-size|unhandled-rejections|no-warnings|no-deprecation|enable-source-maps|trace-[a-z-]+|experimental-vm-modules|openssl-legacy-provider|dns-result-order|test-[a-z-]+|preserve-symlinks)(?:=[\w.-]*)?$/
const HARMLESS_RUBY_OPTION = /^-(?:[wW]\d?|W:[\w-]+|-(?:y?jit|disable|enable)\S*|E\S+)$/
const HARMLESS_JAVA_OPTION = /^-(?:X(?!run)|D|ea|da|server|client)\S*$/

type IsHarmless = (value: string) => boolean
const never: IsHarmless = () => false
const unset: IsHarmless = (value) => value === ''
const words =
  (option: RegExp): IsHarmless =>
  (value) =>
    value.split(/\s+/).every((word) => word === '' || option.test(word))
const program: IsHarmless = (value) => HARMLESS_PROGRAM.test(value)
const WORD = String.raw`(?:'[^'\\]*'|"[^"\\$\x60]*"|(?!-)[\w/,.^:;=+@-]+)`
/** Commands that edit the file git appends to them. The analyser reads each of them as a command of the script. */
const EDITS: readonly RegExp[] = [
  new RegExp(String.raw`^sed(?: -(?!e\b)[a-zA-Z][\w.]*)*(?: (?:-e |--expression=)?${WORD})(?: -e ${WORD})*$`),
  new RegExp(`^perl(?: -[pnilae0.]+)+ ${WORD}$`),
  new RegExp(`^(?:cp|mv|cat)(?: -[a-z]+)*(?: ${WORD})+(?: ?>>?)?$`),
  /^(?:printf|echo)(?: (?:'[^']*'|[\w.:-]+))+ ?>>?$/,
  /^(?:(?:bash|sh|python3?|node|perl|ruby) )?(?:[\w.-]*\/)+[\w.-]+$/,
  /^(?:bash|sh|python3?|node|perl|ruby) (?!-)[\w.-]+$/,
]
const edit: IsHarmless = (value) => program(value) || EDITS.some((form) => form.test(value))
const noFile: IsHarmless = (value) => value === '' || value === '/dev/null'
const noExpansion: IsHarmless = (value) => !/[$`]/.test(value)
/** `LESS='+!command'`: the pager runs the text after a plus as a command. */
const noCommand: IsHarmless = (value) =>
  value.split(/\s+/).every((word) => !word.includes('+') || !/[!|#v]/.test(word.slice(word.indexOf('+'))))
/** `ENV=production` names a stage of many an application; `ENV=./x` is a file sh reads. */
const noPath: IsHarmless = (value) => !/[$`/]/.test(value)

/** Library directories inside the project. */
const ownLibraries: IsHarmless = (value) =>
  value.split(':').every((path) => /^(?:\.\/)?(?:[\w-]+\/)*(?:|lib|blib|perl5)$/.test(path))
/** `MAKEFLAGS=--eval=…` contains makefile code. */
const noEvaluation: IsHarmless = (value) => !/eval|\$|-[A-Za-z]*[fIE]/.test(value)

/** Directories of the system, and those a build of the project puts its libraries into. */
const builtLibraries: IsHarmless = (value) =>
  value
    .split(':')
    .every(
      (path) =>
        path === '' ||
        /^\/(?:usr|opt|lib|lib64|nix\/store)\//.test(`${path}/`) ||
        /^(?:\.\/)?(?:build|_build|target|out|dist|install|cmake-build-\w+|bazel-bin|lib|lib64)(?:\/(?!\.\.)[\w.-]+)*\/?$/.test(
          path,
        ),
    )

/** `LD_LIBRARY_PATH=$PWD/target/debug`: a build directory by its absolute path. */
const isBuiltHere = ({ name, value }: EnvFact, { surroundings: { roots } }: DecideInput): boolean =>
  value !== null &&
  LIBRARY_PATH.test(name) &&
  builtLibraries(
    value
      .split(':')
      .map((path) => path.slice(roots.find((root) => root !== '/' && path.startsWith(`${root}/`))?.concat('/').length))
      .join(':'),
  )

const LIBRARY_PATH = /^(?:DY)?LD_LIBRARY_PATH$/
const SHELL_ONLY = /^(?:cd|export|echo|printf|test|\[|true|:|set|mkdir)$/
const OWN_PROGRAM = /^(?!\/(?:usr|bin|sbin|opt|lib|lib64)\/)[^~]*\//

/** Reports whether only workspace programs run with a library path of the workspace: `LD_LIBRARY_PATH=. ./prog`. */
function servesOwnPrograms({ name, value, span }: EnvFact, { facts, surroundings }: DecideInput): boolean {
  if (!LIBRARY_PATH.test(name) || value === null) return false
  const isOwn = (path: string): boolean =>
    path === '' ||
    (path.startsWith('/')
      ? surroundings.roots.some((root) => isUnder(path, root)) && !/(?:^|\/)\.\.(?:\/|$)/.test(path)
      : /^[\w.-]/.test(path) && !/(?:^|\/)\.\.(?:\/|$)/.test(path))
  const around = facts.invocations.filter((one) => one.span[0] <= span[0] && one.span[1] >= span[1])
  const isForOne = around.some(({ argv: [first] }) => first !== 'export')
  const reached = isForOne ? around : facts.invocations.filter((one) => one.span[1] > span[0])
  const isOwnProgram = ({ argv: [first] }: Invocation): boolean =>
    typeof first === 'string' && (OWN_PROGRAM.test(first) || (!isForOne && SHELL_ONLY.test(first)))
  return reached.length > 0 && value.split(':').every(isOwn) && reached.every(isOwnProgram)
}

const names = (list: string, isHarmless: IsHarmless): (readonly [string, IsHarmless])[] =>
  list.split(' ').map((name) => [name, isHarmless])

/** Variables that make programs run code, each with a test for harmless values. */
const INJECTING: ReadonlyMap<string, IsHarmless> = new Map([
  ...names('LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES GCONV_PATH', unset),
  ...names('LD_LIBRARY_PATH DYLD_LIBRARY_PATH', builtLibraries),
  ...names('GIT_SSH GIT_SSH_COMMAND GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_EXEC_PATH GIT_TEMPLATE_DIR', unset),
  ...names('GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS', program),
  ...names('GIT_CONFIG GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM', noFile),
  ...names('GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS', unset),
  ...names('EDITOR VISUAL PAGER MANPAGER BROWSER FCEDIT LESSEDIT HGEDITOR', program),
  ...names('LESSOPEN LESSCLOSE LESSKEY_CONTENT', unset),
  ...names('LESSKEY LESSKEYIN LESSKEY_SYSTEM', noFile),
  ...names('LESS MORE', noCommand),
  ...names('BASH_ENV PYTHONSTARTUP RIPGREP_CONFIG_PATH OPENSSL_CONF MAKEFILES VIMINIT EXINIT GVIMINIT', noFile),
  ...names('ENV', noPath),
  ...names('PROMPT_COMMAND SHELLOPTS BASHOPTS', unset),
  ...names('PS0 PS1 PS2 PS4', noExpansion),
  ...names('NODE_OPTIONS', words(HARMLESS_NODE_OPTION)),
  ...names('JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS', words(HARMLESS_JAVA_OPTION)),
  ...names(
    'JAVA_OPTS MAVEN_OPTS GRADLE_OPTS SBT_OPTS KAFKA_OPTS CATALINA_OPTS LEIN_JVM_OPTS',
    words(HARMLESS_JAVA_OPTION),
  ),
  ...names(
    'DOTNET_STARTUP_HOOKS CORECLR_PROFILER CORECLR_PROFILER_PATH COR_PROFILER NODE_REPL_EXTERNAL_MODULE PHPRC',
    unset,
  ),
  ...names('PERL5LIB', ownLibraries),
  ...names('RUBYOPT', words(HARMLESS_RUBY_OPTION)),
  ...names('MAKEFLAGS GNUMAKEFLAGS MFLAGS', noEvaluation),
  ...names('PERL5OPT PERL5DB PERL5SHELL LUA_INIT PYTHONHOME', unset),
  ...names('PYTHONBREAKPOINT', (value) => /^0?$/.test(value)),
  ...names('RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER', (value) => /^(?:sccache|ccache)?$/.test(value)),
  ...names('RSYNC_RSH CVS_RSH SVN_SSH TAR_OPTIONS OPENSSL_ENGINES', unset),
  ...names('npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL npm_config_node_options', unset),
])

const FAMILIES: readonly (readonly [RegExp, IsHarmless])[] = [
  [/^GIT_CONFIG_(?:KEY|VALUE)_\d+$/, never],
  [/^BASH_FUNC_/, never],
  [/^LUA_INIT_/, unset],
  [/^CARGO_TARGET_\w+_(?:RUNNER|LINKER)$/, unset],
  [/^GIT_(?:SEQUENCE_)?EDITOR$/, edit],
  [/_(?:EDITOR|PAGER)$/, program],
]

const harmlessFor = (name: string): IsHarmless | null =>
  INJECTING.get(name) ?? FAMILIES.find(([family]) => family.test(name))?.[1] ?? null

/** Does this variable, with this value, make programs run something? */
export function injects({ name, value }: Pick<EnvFact, 'name' | 'value'>): boolean {
  const isHarmless = harmlessFor(name)
  // Options of a pager that are added to are hardly ever all known.
  return isHarmless !== null && (value === null ? isHarmless !== noCommand : !isHarmless(value))
}

/** Reports whether a variable sends container commands to another machine. */
const sendsAway = ({ name, value }: EnvFact): boolean =>
  value !== null &&
  ((name === 'DOCKER_CONTEXT' && value !== '' && !isOwnEngine(value)) ||
    ((name === 'DOCKER_HOST' || name === 'CONTAINER_HOST') &&
      /^(?:tcp|ssh|https?):\/\//.test(value) &&
      !isLocalHost(hostOf(value))))

export function environmentMatches(input: DecideInput): readonly RuleMatch[] {
  const matches: RuleMatch[] = []
  for (const fact of input.facts.environment) {
    const { name, span } = fact
    const reason =
      injects(fact) && !isBuiltHere(fact, input) && !servesOwnPrograms(fact, input)
        ? `${name} can make programs run other code.`
        : sendsAway(fact)
          ? `${name} sends container commands to another machine.`
          : null
    if (reason !== null)
      matches.push(match(`environment/${name}`, 'ask', span, reason, { instead: `Run the command without ${name}.` }))
  }
  return matches
}
