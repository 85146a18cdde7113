// Cordon for pi. Register it by a file in ~/.pi/agent/extensions/: export { default } from '<this file>'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { refusalOf } from './ask-cordon.js'

/** The shell that pi's settings name, which is told to the hook: only `cordon-shell` runs commands in the sandbox. */
function shellOf() {
  try {
    const directory = process.env.PI_CODING_AGENT_DIR ?? join(homedir(), '.pi/agent')
    return JSON.parse(readFileSync(join(directory, 'settings.json'), 'utf8')).shellPath ?? null
  } catch {
    return null
  }
}

// biome-ignore lint/style/noDefaultExport: pi calls the default export of an extension.
export default function cordon(pi) {
  pi.on('tool_call', async ({ toolName, input }, context) => {
    const cwd = context?.cwd ?? process.cwd()
    const reason = await refusalOf({ agent: 'pi', tool: toolName, input, cwd, shell: shellOf() })
    return reason === null ? undefined : { block: true, reason }
  })
}
