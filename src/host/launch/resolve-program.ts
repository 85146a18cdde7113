import { accessSync, constants, statSync } from 'node:fs'
import { CordonError } from '../../core/model/errors.js'
import { resolvePath } from '../../core/model/path.js'
import type { Plan } from '../../core/model/plan.js'

type Found = 'executable' | 'not executable' | 'missing'

function look(path: string): Found {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile()) return 'missing'
  try {
    accessSync(path, constants.X_OK)
    return 'executable'
  } catch {
    return 'not executable'
  }
}

function lookSafely(path: string): Found {
  try {
    return look(path)
  } catch {
    return 'missing'
  }
}

/** Throws PROGRAM_NOT_FOUND, before anything is started, when the plan's program is not there to be run. */
export function requireProgram({ argv, cwd, env }: Plan): void {
  const name = argv[0] ?? ''
  const path = env.find(([variable]) => variable === 'PATH')?.[1] ?? ''
  const places = name.includes('/')
    ? [resolvePath(name, cwd)]
    : path.split(':').map((directory) => `${resolvePath(directory, cwd)}/${name}`)
  const found = places.map(lookSafely)
  if (found.includes('executable')) return
  if (found.includes('not executable')) {
    throw new CordonError(
      'PROGRAM_NOT_EXECUTABLE',
      `${name} is there but is not executable. Make it executable with chmod +x, or run it through its interpreter.`,
    )
  }
  const where = name.includes('/') ? 'There is no such file' : `It is in none of the directories of PATH (${path})`
  throw new CordonError(
    'PROGRAM_NOT_FOUND',
    `The program was not found: ${name}. ${where}. Check the spelling, or install it.`,
  )
}
