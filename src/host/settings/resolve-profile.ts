import { join } from 'node:path'
import { checkRules, type ReadExample } from '../../core/decide/authoring/check-examples.js'
import { relaxations } from '../../core/decide/authoring/relaxations.js'
import { REMOVABLE } from '../../core/decide/denials/index.js'
import { CordonError } from '../../core/model/basics/errors.js'
import { nearest } from '../../core/model/basics/nearest.js'
import type { Profile, Rule } from '../../core/model/policy/profile.js'
import type { ProfileSettings } from '../../core/model/policy/profile-settings.js'
import { applyProfile, NOTHING, permissionRules } from './apply-profile.js'
import { type Binding, bindingOf, type Layer } from './layers.js'
import { parseShipped, settingsError } from './parse-settings.js'
import { readSettingsFile } from './read-settings-file.js'

/** The profiles that come with Cordon, one file each. */
export const BUILTIN_PROFILES = ['workspace', 'developer', 'readonly', 'strict', 'open'] as const

const isBuiltin = (name: string): boolean => BUILTIN_PROFILES.some((one) => one === name)

export interface Resolver {
  /** The profile as all layers together have it; null when there is none of that name. */
  resolve(name: string): Profile | null
  /** The profile as the layers below this one have it. */
  before(layer: Layer, name: string): Profile | null
  /** The profile as the layers up to this one have it. */
  upTo(layer: Layer, name: string): Profile | null
  names(): readonly string[]
  /** The file that has the last word on a profile. */
  sourceOf(name: string): string
}

interface Context {
  readonly layers: readonly Layer[]
  readonly builtinDir: string
  readonly read: ReadExample
  readonly known: Map<string, Profile | null>
}

const rulePlace = (name: string, index: number) => ['profiles', name, 'rules', index] as const

/** Checks the own settings of a profile before they are merged. */
function checkOwn(own: ProfileSettings, name: string, layer: Layer, read: ReadExample): void {
  const unknown = own.builtins?.removed?.find((one) => one !== '...' && !REMOVABLE.has(one))
  if (unknown !== undefined) {
    const meant = nearest(unknown, [...REMOVABLE])
    const hint = meant ? `Did you mean "${meant}"?` : `There are ${[...REMOVABLE].join(', ')}.`
    throw settingsError(
      layer.file,
      layer.text,
      ['profiles', name, 'builtins', 'removed'],
      `there is no built-in named "${unknown}". ${hint}`,
    )
  }
  const { rules } = applyProfile(NOTHING, name, { rules: own.rules })
  for (const [index, rule] of rules.entries()) {
    const wrong = checkRules([rule], read)[0]
    if (wrong) {
      const does = wrong.which === 'hits' ? 'does not match its example' : 'matches a command it must miss:'
      const what = `the rule "${wrong.rule}" ${does} \`${wrong.example}\`. Correct the rule or the example.`
      throw settingsError(layer.file, layer.text, rulePlace(name, index), what)
    }
  }
}

function builtin(name: string, context: Context, stack: readonly string[]): Profile | null {
  if (!isBuiltin(name)) return null
  const file = join(context.builtinDir, `${name}.toml`)
  const text = readSettingsFile(file, 'builtin')
  if (text === null) throw new CordonError('SETTINGS_INVALID', `${file} is missing. Install Cordon again.`, { file })
  const own = parseShipped(text, file)
  const base = own.extends === undefined ? NOTHING : at(own.extends, -1, context, stack)
  if (!base)
    throw new CordonError(
      'SETTINGS_INVALID',
      `${file} extends "${own.extends}", which is missing. Install Cordon again.`,
      { file },
    )
  return applyProfile(base, name, own)
}

/** Returns the base profile: the named one, else the lower one of the same name, else `workspace`. */
function baseOf(own: ProfileSettings, name: string, layer: Layer, context: Context, stack: readonly string[]): Profile {
  const index = context.layers.indexOf(layer)
  const wanted = own.extends ?? (at(name, index - 1, context, stack) ? name : 'workspace')
  const base = at(wanted, wanted === name ? index - 1 : index, context, wanted === name ? stack : [...stack, name])
  if (base) return base
  const others = namesOf(context.layers).filter((one) => one !== name)
  const what = wanted === name ? `the profile "${name}" extends itself` : `there is no profile "${wanted}" to extend`
  throw settingsError(layer.file, layer.text, ['profiles', name, 'extends'], `${what}. There are ${others.join(', ')}.`)
}

function refuseLooser(from: Profile, to: Profile, name: string, layer: Layer, { rule, fix }: Binding): void {
  const looser = relaxations(from, to)[0]
  if (!looser) return
  const what = `${rule}: \`${looser.key.join('.')}\` is looser here than in profile "${from.name}": ${looser.why}. ${fix}`
  throw settingsError(layer.file, layer.text, ['profiles', name, ...looser.key], what)
}

function resolveAt(name: string, index: number, context: Context, stack: readonly string[]): Profile | null {
  const layer = context.layers[index]
  if (!layer) return builtin(name, context, stack)
  const own = layer.profiles.get(name)
  if (!own) return at(name, index - 1, context, stack)
  if (stack.includes(name)) {
    const what = `profiles extend each other in a circle: ${[...stack, name].join(' → ')}. Remove one \`extends\`.`
    throw settingsError(layer.file, layer.text, ['profiles', name, 'extends'], what)
  }
  checkOwn(own, name, layer, context.read)
  const base = baseOf(own, name, layer, context, stack)
  const profile = applyProfile(base, name, own)
  const binding = bindingOf(layer, context.layers)
  if (binding !== null) {
    const before = at(name, index - 1, context, stack)
    for (const from of before && before !== base ? [base, before] : [base])
      refuseLooser(from, profile, name, layer, binding)
  }
  return profile
}

function at(name: string, index: number, context: Context, stack: readonly string[]): Profile | null {
  const key = `${Math.max(index, -1)} ${name}`
  const known = context.known.get(key)
  if (known !== undefined) return known
  const profile = resolveAt(name, Math.max(index, -1), context, stack)
  context.known.set(key, profile)
  return profile
}

const namesOf = (layers: readonly Layer[]): readonly string[] => [
  ...new Set<string>([...BUILTIN_PROFILES, ...layers.flatMap(({ profiles }) => [...profiles.keys()])]),
]

function permissionsOf({ permissions, file, text }: Layer): readonly Rule[] {
  try {
    return permissionRules(permissions)
  } catch (thrown) {
    if (!(thrown instanceof CordonError)) throw thrown
    throw settingsError(
      file,
      text,
      ['permissions'],
      `${thrown.message.charAt(0).toLowerCase()}${thrown.message.slice(1)}`,
    )
  }
}

function withPermissions(profile: Profile | null, layers: readonly Layer[]): Profile | null {
  const more = layers.flatMap(permissionsOf)
  return profile && more.length > 0 ? { ...profile, rules: [...profile.rules, ...more] } : profile
}

/** Puts profiles together from the built-in files and the layers, each only when it is asked for. */
export function createResolver(layers: readonly Layer[], builtinDir: string, read: ReadExample): Resolver {
  const context: Context = { layers, builtinDir, read, known: new Map() }
  const after = (count: number, name: string): Profile | null =>
    withPermissions(at(name, count - 1, context, []), layers.slice(0, count))
  return {
    resolve: (name) => after(layers.length, name),
    before: (layer, name) => after(layers.indexOf(layer), name),
    upTo: (layer, name) => after(layers.indexOf(layer) + 1, name),
    names: () => namesOf(layers),
    sourceOf: (name) => layers.findLast(({ profiles }) => profiles.has(name))?.file ?? join(builtinDir, `${name}.toml`),
  }
}
