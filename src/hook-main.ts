import { answerAgent } from './hook.js'

/** Never settles: the process ends with the answer. */
export const status: Promise<number> = answerAgent(process.argv.slice(3))
