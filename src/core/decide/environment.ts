import type { RuleMatch } from '../model/decision.js'
import type { EnvFact } from '../model/facts.js'
import { hostOf, isLocalHost, isOwnEngine } from './here.js'
import { type DecideInput, match } from './scene.js'

/** Values that start nothing of their own. */
const TAME_PROGRAM = /^(?:|cat|true|false|:|less|more|most|vi|vim|nvim|nano|emacs|ed|less -[A-Za-z]+|code --wait)$/
const TAME_NODE_OPTION =
  /^--(?:max-old-space-size|max-semi-space-size|stack-size|unhandled-rejections|no-warnings|no-deprecation|enable-source-maps|trace-[a-z-]+|experimental-vm-modules|openssl-legacy-provider|dns-result-order|test-[a-z-]+|preserve-symlinks)(?:=[\w.-]*)?$/
const TAME_RUBY_OPTION = /^-(?:[wW]\d?|W:[\w-]+|-(?:y?jit|disable|enable)\S*|E\S+)$/
const TAME_JAVA_OPTION = /^-(?:X(?!run)|D|ea|da|server|client)\S*$/

type Tame = (value: string) => boolean
const never: Tame = () => false
const unset: Tame = (value) => value === ''
const words =
  (option: RegExp): Tame =>
  (value) =>
    value.split(/\s+/).every((word) => word === '' || option.test(word))
const program: Tame = (value) => TAME_PROGRAM.test(value)
/** Edits the file that git gives to it; the analyser reads what it does. */
const edit: Tame = (value) => program(value) || /^sed -i\S* (?:-e )?'[^'\\]*'$/.test(value)
const noFile: Tame = (value) => value === '' || value === '/dev/null'
const noExpansion: Tame = (value) => !/[$`]/.test(value)
/** `LESS='+!command'`: what stands behind a plus is typed when the pager starts. */
const noCommand: Tame = (value) =>
  value.split(/\s+/).every((word) => !word.includes('+') || !/[!|#v]/.test(word.slice(word.indexOf('+'))))
/** `ENV=production` names a stage of many an application; `ENV=./x` is a file sh reads. */
const noPath: Tame = (value) => !/[$`/]/.test(value)

/** Libraries of the project, named from where it stands. */
const ownLibraries: Tame = (value) =>
  value.split(':').every((place) => /^(?:\.\/)?(?:[\w-]+\/)*(?:|lib|blib|perl5)$/.test(place))
/** `MAKEFLAGS=--eval=…` is a makefile of its own. */
const noEvaluation: Tame = (value) => !/eval|\$|-[A-Za-z]*[fIE]/.test(value)

/** Directories of the system, and those a build of the project puts its libraries into. */
const builtLibraries: Tame = (value) =>
  value
    .split(':')
    .every(
      (place) =>
        place === '' ||
        /^\/(?:usr|opt|lib|lib64|nix\/store)\//.test(`${place}/`) ||
        /^(?:\.\/)?(?:build|_build|target|out|dist|install|cmake-build-\w+|bazel-bin|lib|lib64)(?:\/(?!\.\.)[\w.-]+)*\/?$/.test(
          place,
        ),
    )

const names = (list: string, tame: Tame): (readonly [string, Tame])[] => list.split(' ').map((name) => [name, tame])

/** Variables that make programs run something, each with what tells a harmless value. */
const INJECTING: ReadonlyMap<string, Tame> = new Map([
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
  ...names('NODE_OPTIONS', words(TAME_NODE_OPTION)),
  ...names('JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS', words(TAME_JAVA_OPTION)),
  ...names('JAVA_OPTS MAVEN_OPTS GRADLE_OPTS SBT_OPTS KAFKA_OPTS CATALINA_OPTS LEIN_JVM_OPTS', words(TAME_JAVA_OPTION)),
  ...names(
    'DOTNET_STARTUP_HOOKS CORECLR_PROFILER CORECLR_PROFILER_PATH COR_PROFILER NODE_REPL_EXTERNAL_MODULE PHPRC',
    unset,
  ),
  ...names('PERL5LIB', ownLibraries),
  ...names('RUBYOPT', words(TAME_RUBY_OPTION)),
  ...names('MAKEFLAGS GNUMAKEFLAGS MFLAGS', noEvaluation),
  ...names('PERL5OPT PERL5DB PERL5SHELL LUA_INIT PYTHONHOME PYTHONBREAKPOINT', unset),
  ...names('RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RSYNC_RSH CVS_RSH SVN_SSH TAR_OPTIONS OPENSSL_ENGINES', unset),
  ...names('npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL npm_config_node_options', unset),
])

const FAMILIES: readonly (readonly [RegExp, Tame])[] = [
  [/^GIT_CONFIG_(?:KEY|VALUE)_\d+$/, never],
  [/^BASH_FUNC_/, never],
  [/^LUA_INIT_/, unset],
  [/^CARGO_TARGET_\w+_(?:RUNNER|LINKER)$/, unset],
  [/^GIT_(?:SEQUENCE_)?EDITOR$/, edit],
  [/_(?:EDITOR|PAGER)$/, program],
]

const tameFor = (name: string): Tame | null =>
  INJECTING.get(name) ?? FAMILIES.find(([family]) => family.test(name))?.[1] ?? null

/** Does this variable, with this value, make programs run something? */
export function injects({ name, value }: Pick<EnvFact, 'name' | 'value'>): boolean {
  const tame = tameFor(name)
  // Options of a pager that are added to are hardly ever all known.
  return tame !== null && (value === null ? tame !== noCommand : !tame(value))
}

/** Does a variable have what is done to containers done on another machine? */
const sendsAway = ({ name, value }: EnvFact): boolean =>
  value !== null &&
  ((name === 'DOCKER_CONTEXT' && value !== '' && !isOwnEngine(value)) ||
    ((name === 'DOCKER_HOST' || name === 'CONTAINER_HOST') &&
      /^(?:tcp|ssh|https?):\/\//.test(value) &&
      !isLocalHost(hostOf(value))))

export function environmentMatches({ facts }: DecideInput): readonly RuleMatch[] {
  const matches: RuleMatch[] = []
  for (const fact of facts.environment) {
    const { name, span } = fact
    const reason = injects(fact)
      ? `${name} makes programs run code of its choosing.`
      : sendsAway(fact)
        ? `${name} has what is done to containers done on another machine.`
        : null
    if (reason !== null)
      matches.push(match(`environment/${name}`, 'ask', span, reason, { instead: `Run the command without ${name}.` }))
  }
  return matches
}
