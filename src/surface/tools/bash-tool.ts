import type { Engine } from '../../engine/api.js'
import { BashParameters, parameterSchema } from './parameters.js'
import { runTool } from './run-tool.js'
import type { Tool } from './tool.js'
import { validator } from './validation.js'

export const BASH_DESCRIPTION =
  'Runs a bash script in the workspace, inside a sandbox, and returns its output and exit code. ' +
  'A command the policy refuses is not started; the answer says which rule and what to do instead.'

/** `bash`: one script, as `bash -c` would run it. */
export function bashTool(engine: Pick<Engine, 'run'>): Tool {
  const parameters = parameterSchema(BashParameters)
  const validate = validator(parameters)
  return {
    name: 'bash',
    label: 'Bash',
    description: BASH_DESCRIPTION,
    parameters,
    isRequest: true,
    async execute(callId, args, signal, context = {}) {
      const { command, ...options } = BashParameters.parse(validate(args))
      return runTool(engine, command, options, signal, { toolCallId: callId, ...context })
    },
  }
}
