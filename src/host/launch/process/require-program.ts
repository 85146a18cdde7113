import { accessSync, constants, statSync } from 'node:fs'
import { CordonError } from '../../../core/model/basics/errors.js'
import { resolvePath } from '../../../core/model/basics/path.js'
import type { Plan } from '../../../core/model/policy/plan.js'

type Found = 'executable' | 'not executable' | 'missing'

function lookUp(path: string): Found {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile()) return 'missing'
  try {
    accessSync(path, constants.X_OK)
    return 'executable'
  } catch {
    return 'not executable'
  }
}

function lookUpSafely(path: string): Found {
  try {
    return lookUp(path)
  } catch {
    return 'missing'
  }
}

/** Throws PROGRAM_NOT_FOUND or PROGRAM_NOT_EXECUTABLE before anything starts, if the plan's program cannot run. */
export function requireProgram({ argv, cwd, env }: Plan): void {
  const name = argv[0] ?? ''
  const path = env.find(([variable]) => variable === 'PATH')?.[1] ?? ''
  const paths = name.includes('/')
    ? [resolvePath(name, cwd)]
    : path.split(':').map((directory) => `${resolvePath(directory, cwd)}/${name}`)
  const found = paths.map(lookUpSafely)
  if (found.includes('executable')) return
  if (found.includes('not executable')) {
    throw new CordonError(
      'PROGRAM_NOT_EXECUTABLE',
      `${name} exists but is not executable. Make it executable with chmod +x, or run it through its interpreter.`,
    )
  }
  const reason = name.includes('/') ? 'The file does not exist' : `No directory of PATH contains it (${path})`
  throw new CordonError(
    'PROGRAM_NOT_FOUND',
    `Program not found: ${name}. ${reason}. Check the spelling, or install it.`,
  )
}
