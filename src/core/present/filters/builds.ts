import { detail, type Filter, progress, proposeBy } from './filter.js'
import { launched, subcommand } from './subcommand.js'

const TOOLS = new Set('make gmake ninja cmake meson mvn mvnw gradle gradlew bazel xcodebuild'.split(' '))
const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  cargo: ['build', 'b', 'check', 'c', 'install', 'doc'],
  go: ['build', 'install', 'mod', 'get'],
  dotnet: ['build', 'publish', 'restore'],
  swift: ['build'],
  zig: ['build'],
}

const CALL = detail('compiler calls')
const STEP = progress('build progress')

/** Lines a build prints for each file it goes through. What a tool says at the end stays. */
const propose = proposeBy([
  [/^\[\s*\d+%\] (?:Building|Linking|Generating|Built target|Scanning|Automatic|Creating)\b/, STEP],
  [/^\[[\d,]+ ?\/ ?[\d,]+\] /, STEP],
  [/^\s+(?:Compiling|Checking|Fresh|Downloading|Downloaded|Updating|Locking|Adding|Documenting)\s\S/, STEP],
  [/^go: (?:downloading|extracting|finding) /, STEP],
  [/^(?:\[INFO\] )?(?:Downloading|Downloaded)(?: from \S+)?:? https?:/, STEP],
  [/^Progress \(\d+\): /, STEP],
  [/^(?:\S*-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|cpp|ld|ar|ranlib|nvcc|rustc)(?:-[\d.]+)? -?\S/, CALL],
  [/^libtool: (?:compile|link):/, CALL],
  [/^\s+(?:CC|CXX|LD|AR|AS|HOSTCC|HOSTLD|GEN|CCLD|CXXLD|LINK|INSTALL|UPD|CHK)\s+(?:\[M\]\s+)?\S+$/, CALL],
  [/^g?make(?:\[\d+\])?: (?:Entering|Leaving) directory /, detail('directories entered and left')],
  [/^g?make\[\d+\]: (?:Nothing to be done for|'.*' is up to date)/, detail('targets up to date')],
])

const matches = (argv: readonly string[]): boolean => {
  const [program = '', ...args] = launched(argv)
  return TOOLS.has(program) || (SUBCOMMANDS[program]?.includes(subcommand(args)) ?? false)
}

export const builds: Filter = {
  name: 'build',
  matches,
  propose: (lines) => lines.map(propose),
  recognises: (lines) =>
    lines.some((line) =>
      /^(?:\s+Finished |\[100%\] |\[INFO\] BUILD |BUILD |g?make(?:\[\d+\])?: |Build succeeded)/.test(line),
    ),
}
