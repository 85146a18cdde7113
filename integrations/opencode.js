// Cordon for opencode. Register it by a file in ~/.config/opencode/plugin/: export { Cordon } from '<this file>'
import { resolve } from 'node:path'
import { refusalOf } from './ask-cordon.js'

export const Cordon = async ({ directory }) => ({
  // opencode takes an exception for a refusal, and shows its text to the model.
  'tool.execute.before': async ({ tool }, { args }) => {
    const cwd = resolve(directory, args.workdir ?? '.')
    const refusal = await refusalOf({ agent: 'opencode', tool, input: args, cwd, shell: process.env.SHELL ?? null })
    if (refusal !== null) throw new Error(refusal)
  },
})
