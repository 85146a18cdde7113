import { readdirSync, readFileSync } from 'node:fs'

type PerlHelper = 'attributes.pl' | 'cover-socket.pl' | 'exit-hold.pl' | 'network.pl' | 'zygote.pl'
type ShellHelper =
  | 'archive-origins.sh'
  | 'enter-cgroups.sh'
  | 'hold-mounts.sh'
  | 'mount-layers.sh'
  | 'new-mounts.sh'
  | 'read-only-devices.sh'
  | 'remove-tree.sh'
  | 'set-times.sh'
  | 'tag-shell.bash'
  | 'watchdog.bash'

const EXTENSION = /\.(?:pl|pm|sh|bash)$/
/** Directories of the scripts: beside this file in the sources, or in a directory beside the bundle in the package. */
const DIRECTORIES = [new URL('./helper-scripts/', import.meta.url), new URL('./', import.meta.url)] as const

/**
 * Reads all helper scripts when the engine's code is loaded. They run with the engine's rights, and a command can write
 * to a package inside a workspace (a checkout of Cordon). So a script is as old, and as safe, as the code that starts
 * it.
 */
function readAll(): ReadonlyMap<string, string> {
  for (const directory of DIRECTORIES) {
    const names = namesIn(directory)
    if (names.length > 0) return new Map(names.map((name) => [name, readFileSync(new URL(name, directory), 'utf8')]))
  }
  return new Map()
}

function namesIn(directory: URL): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => EXTENSION.test(name))
  } catch {
    return []
  }
}

const SCRIPTS = readAll()

/** Returns the text of a shell helper. Its parameters are arguments; the text contains no values. */
export function helperScript(name: ShellHelper): string {
  return textOf(name)
}

function textOf(name: string): string {
  const text = SCRIPTS.get(name)
  if (text === undefined)
    throw new Error(`The helper script ${name} is missing from this installation of Cordon. Install it again.`)
  return text
}

/** Returns the text of a Perl helper, with its module in front, so that no process looks for a file. */
export function perlHelper(name: PerlHelper): string {
  const module = textOf('Syscalls.pm')
  return `BEGIN { $INC{'Syscalls.pm'} = 1;\n${module}}\n#line 1 "${name}"\n${textOf(name)}`
}

/** Architectures, in Node's terms, whose system calls `Syscalls.pm` knows well enough for sandboxes and networks. */
export const hasSandboxCalls = (architecture: string = process.arch): boolean =>
  architecture === 'x64' || architecture === 'arm64'
