/** Directories of the system, which no setting opens by name. */
const SYSTEM = /^\/(?:(?:etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|run|var)(?:\/|$)|[^/]*$)/
const PLAIN = /^[\w@%+.,:=~/-]+$/
/** Characters of globs and quoting, and invisible characters. */
const ODD = /[*?[\]{}()!'\\\p{C}]/u

/** Remedy for a restriction that no Cordon command lifts. */
export const BY_HAND = 'No `cordon allow` command allows this. A person can do it in their own terminal.'

/** Remedy for Cordon's own records. */
export const OWN_RECORDS = 'No setting allows this. Cordon keeps its own records there.'

/** Path of the settings of a person without XDG_CONFIG_HOME. */
const SETTINGS = '~/.config/cordon/cordon.toml'

/** Returns the sentence for a remedy in the settings. `change` begins with a verb. */
export const inSettings = (change: string, profile: string): string =>
  `No command allows it. A person can ${change} of [profiles.${profile}] in ${SETTINGS}.`

/** Returns the sentence for a remedy: a person runs a command. */
export const remedySentence = (remedy: string): string =>
  remedy.startsWith('cordon ') ? `A person can run \`${remedy}\`.` : remedy

const allowPath = (path: string, profile: string, option = ''): string | null =>
  ODD.test(path) ? null : `cordon allow path ${PLAIN.test(path) ? path : `'${path}'`}${option} --profile ${profile}`

/** Returns the command by which a person lets a profile reach hosts. */
export const allowHosts = (hosts: string, profile: string): string => `cordon allow host ${hosts} --profile ${profile}`

/** Returns the command that lets a profile write beside a path; null if no command should. */
export function allowBeside(path: string, profile: string): string | null {
  const directory = path.slice(0, Math.max(1, path.replace(/\/$/, '').lastIndexOf('/')))
  return SYSTEM.test(`${directory}/x`) || directory === '/' ? null : allowPath(directory, profile)
}

/** Returns the command by which a person lets a profile read a path; null where no command should. */
export const allowRead = (path: string, profile: string): string | null =>
  /^\/(?:proc|sys|dev|run)(?:\/|$)|^\/$/.test(path) ? null : allowPath(path, profile, ' --read')

/** Returns the command by which a person lifts a built-in rule. */
export const allowRule = (name: string, profile: string): string => `cordon allow rule ${name} --profile ${profile}`

interface Registry {
  readonly file: string
  readonly host: string
}

/** Returns ` Your ~/.npmrc names this host.` if a settings file of the person has it as a registry, otherwise ''. */
export function configuredIn(host: string, port: number | null, registries: readonly Registry[] = []): string {
  const found = registries.find((one) => one.host === `${host}:${port ?? one.host.replace(/^.*:/, '')}`)
  return found === undefined ? '' : ` Your ${found.file} names this host.`
}
