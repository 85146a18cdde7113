import type { Programs } from './agent-table.js'

/**
 * Asks `cordon hook` and denies unless it answers that it has no opinion: a hook that is missing, killed or hangs, or
 * prints anything else, blocks the command.
 */
const ASK = (cordon: string, agent: string): string => `
const ask = (call) => {
  const { status, stdout } = spawnSync(${JSON.stringify(cordon)}, ['hook', ${JSON.stringify(agent)}], {
    input: JSON.stringify({ cordon_extension: ${JSON.stringify(agent)}, ...call }),
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
    timeout: 8000,
    killSignal: 'SIGKILL',
  })
  try {
    const answer = JSON.parse(stdout)
    if (status === 0 && answer.verdict === 'none') return null
    return String(answer.reason || 'Cordon denied this.')
  } catch {
    return 'Cordon did not answer'
  }
}
`

/** The text that this file writes exports so; the file itself does not. */
const EXPORT = 'export default'

const shellField = ({ shell }: Programs): string => (shell === null ? '' : `, shell: ${JSON.stringify(shell)}`)

/**
 * The plugin for opencode. A deny is a throw; the sandbox comes from the configured shell, for a plugin can fail to
 * load.
 */
export const opencodeExtension = (
  programs: Programs,
): string => `// Written by \`cordon init\`; \`cordon init --uninstall\` removes it.
import { spawnSync } from 'node:child_process'
${ASK(programs.cordon, 'opencode')}
export const Cordon = async ({ directory }) => ({
  'tool.execute.before': async (input, output) => {
    const cwd = output.args?.workdir ?? directory
    const reason = ask({ tool: input.tool, input: output.args ?? {}, cwd${shellField(programs)} })
    if (reason !== null) throw new Error(reason)
  },
})
`

/** The extension for pi. */
export const piExtension = (
  programs: Programs,
): string => `// Written by \`cordon init\`; \`cordon init --uninstall\` removes it.
import { spawnSync } from 'node:child_process'
${ASK(programs.cordon, 'pi').replace('(call)', '(call: object)')}
${EXPORT} function (pi: any) {
  pi.on('tool_call', (event: any) => {
    const reason = ask({ tool: event.toolName, input: event.input ?? {}, cwd: process.cwd()${shellField(programs)} })
    return reason === null ? undefined : { block: true, reason }
  })
}
`
