import { permissionRule } from '../../core/decide/authoring/permission-syntax.js'
import { OVER_BROAD } from '../../core/decide/match/over-broad.js'
import type { Verdict } from '../../core/model/policy/decision.js'
import { valueAt } from './settings-edit.js'

/**
 * Permissions that a person gave an agent, as entries of Cordon's own `[permissions]`, and those that have no such
 * form.
 */
export interface Imported {
  readonly lists: Readonly<Record<Verdict, readonly string[]>>
  readonly unread: readonly { readonly entry: string; readonly why: string }[]
}

const VERDICTS = ['allow', 'ask', 'deny'] as const

/** Reads `permissions` of Claude Code's settings. Leaves out entries that would allow everything. */
export function importPermissions(settings: string): Imported {
  const lists: Record<Verdict, string[]> = { allow: [], ask: [], deny: [] }
  const unread: { entry: string; why: string }[] = []
  for (const verdict of VERDICTS) {
    const entries: unknown = valueAt(settings, ['permissions', verdict])
    for (const entry of Array.isArray(entries) ? entries.filter((one) => typeof one === 'string') : []) {
      const why = problemWith(entry, verdict)
      if (why === null) lists[verdict].push(entry)
      else unread.push({ entry, why })
    }
  }
  return { lists, unread }
}

function problemWith(entry: string, verdict: Verdict): string | null {
  try {
    const { program, action } = permissionRule(entry, verdict, 'import')
    if (verdict !== 'allow') return null
    if (program === null && action === null) return 'it allows every command'
    const [name = ''] = program ?? [action?.replace(/^tool:\*:/, '').split(/[ *]/)[0] ?? '']
    return OVER_BROAD.has(name) ? `${name} runs any command given to it` : null
  } catch {
    return 'it is not about shell commands, or has a form that Cordon does not know'
  }
}

/** The table for `cordon.toml`; an empty text where there is nothing to write. */
export function permissionsToml({ lists }: Imported, from: string): string {
  const lines = VERDICTS.flatMap((verdict) =>
    lists[verdict].length === 0
      ? []
      : [`${verdict} = [\n${lists[verdict].map((entry) => `  ${JSON.stringify(entry)},\n`).join('')}]`],
  )
  return lines.length === 0 ? '' : `\n# Imported from ${from} by \`cordon init\`.\n[permissions]\n${lines.join('\n')}\n`
}
