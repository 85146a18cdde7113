import { CordonError } from '../../core/model/basics/errors.js'
import type { CommandInput, Engine } from '../../engine/api.js'
import { ExecParameters, parameterSchema } from './parameters.js'
import { runTool } from './run-tool.js'
import type { Tool } from './tool.js'
import { validator } from './validation.js'

/** `exec`: a program with an array of arguments, or a bash script, by `mode`. */
export function execTool(engine: Pick<Engine, 'run'>): Tool {
  const parameters = parameterSchema(ExecParameters)
  const validate = validator(parameters)
  return {
    name: 'exec',
    label: 'Exec',
    description:
      "Runs a command in the workspace, inside a sandbox. mode='structured' runs one program (binary) with an array of " +
      "arguments and no shell in between; mode='shell' runs a bash script (command) with pipelines and redirects.",
    parameters,
    isRequest: true,
    respell,
    async execute(callId, args, signal, context = {}) {
      const parsed = ExecParameters.parse(validate(respell(args)))
      return runTool(engine, commandOf(parsed), parsed, signal, { toolCallId: callId, ...context })
    },
  }
}

/**
 * The other spelling: `{ command, args, cwd? }` without a mode means structured, since only that has an array of
 * arguments. With mode 'structured', `command` stands for `binary` where there is none.
 */
function respell(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args
  const { mode, command, binary, ...rest } = args as Record<string, unknown>
  const structured = mode === 'structured' || (mode === undefined && 'args' in rest && typeof command === 'string')
  if (!structured || binary !== undefined || command === undefined) return args
  return { ...rest, mode: 'structured', binary: command }
}

function commandOf({ mode, command, binary, args }: ExecParameters): CommandInput {
  if (mode === 'shell') {
    if (command === undefined) throw invalid("shell mode requires 'command' parameter")
    if (binary !== undefined || args.length > 0) {
      throw invalid("shell mode takes 'command' alone: put the arguments into the script, or use mode 'structured'")
    }
    return command
  }
  if (binary === undefined) throw invalid("structured mode requires 'binary' parameter")
  if (command !== undefined) throw invalid("structured mode takes 'binary' and 'args', not 'command' as well")
  return { program: binary, args }
}

const invalid = (message: string): CordonError => new CordonError('INVALID_ARGUMENTS', message)
