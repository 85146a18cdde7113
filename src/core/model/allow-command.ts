/** Directories of the system, which no setting opens by name. */
const SYSTEM = /^\/(?:(?:etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|run|var)(?:\/|$)|[^/]*$)/
const PLAIN = /^[\w@%+.,:=~/-]+$/

/** Returns the command by which a person lets a profile reach hosts. */
export const allowHosts = (hosts: string, profile: string): string => `cordon allow host ${hosts} --profile ${profile}`

/** Returns the command by which a person lets a profile write beside a path; null where no command should. */
export function allowBeside(path: string, profile: string): string | null {
  const directory = path.slice(0, Math.max(1, path.replace(/\/$/, '').lastIndexOf('/')))
  return SYSTEM.test(`${directory}/x`) || !PLAIN.test(directory) || directory === '/'
    ? null
    : `cordon allow path ${directory} --profile ${profile}`
}
