import { CordonError } from '../../core/model/basics/errors.js'
import { resolvePath } from '../../core/model/basics/path.js'
import { planFor } from '../../core/plan/plan-for.js'
import { denial } from '../errors/denial-error.js'
import type { DecidingPorts } from '../ports/ports.js'
import { approvalBasis } from './approval-basis.js'
import { asApproved } from './approved-writes.js'
import type { DecidedRequest, PlannedRequest } from './nouns.js'

/**
 * Says exactly what will be run and inside what. Throws for a denied request, and for one that this host cannot run
 * as decided.
 */
export function plan(decided: DecidedRequest, ports: DecidingPorts): PlannedRequest {
  const { request, profile, facts, decision } = decided
  if (decision.verdict === 'deny') throw denial(decision)
  requireProgram(decided, ports)
  const made = planFor({
    request,
    profile,
    ...asApproved(decided, ports.observer),
    capabilities: ports.launchers.bubblewrap.probe(),
    writesAnything: facts.writesAnything,
    basis: approvalBasis(decided, ports),
    sha256: ports.sha256,
  })
  return { ...decided, plan: made }
}

/**
 * Throws PROGRAM_NOT_FOUND or PROGRAM_NOT_EXECUTABLE for a program that is run without a shell, which would say so
 * itself.
 */
function requireProgram({ request: { command, cwd } }: DecidedRequest, { observer }: DecidingPorts): void {
  if (command.mode !== 'structured') return
  const { program } = command
  const isPath = program.includes('/')
  const name = isPath ? resolvePath(program, cwd) : program
  if (observer.answer([{ ask: 'program', name }]).programs.get(name)) return
  const kind = isPath ? observer.answer([{ ask: 'path', path: name }]).paths.get(name)?.kind : undefined
  if (kind === 'directory')
    throw new CordonError('PROGRAM_NOT_EXECUTABLE', `${program} is a directory. Name a program.`)
  if (kind === 'file' || kind === 'other') {
    throw new CordonError(
      'PROGRAM_NOT_EXECUTABLE',
      `${program} is not executable. Make it executable with chmod +x, or run its interpreter with it as an argument.`,
    )
  }
  const where = isPath ? 'does not exist' : 'was not found on PATH'
  throw new CordonError(
    'PROGRAM_NOT_FOUND',
    `The program ${JSON.stringify(program)} ${where}. Check its name, or install it.`,
  )
}
