import type { Command } from './request.js'

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/

/** Quotes one word where it needs it, so that bash reads exactly that word. */
export const shellWord = (arg: string): string => (PLAIN.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`)

/** A program and its arguments as people would type them. */
export const shellLine = (program: string, args: readonly string[]): string =>
  [program, ...args].map(shellWord).join(' ')

/** The text people see, rules quote and spans point into. */
export const displayCommand = (command: Command): string =>
  command.mode === 'shell' ? command.script : shellLine(command.program, command.args)
