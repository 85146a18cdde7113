import type { Command } from './request.js'

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/

/** Quotes one argument so that bash reads exactly that argument. */
export const escapeArg = (arg: string): string => (PLAIN.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`)

/** A program and its arguments as one safe line of shell. */
export const buildCommand = (program: string, args: readonly string[]): string =>
  [program, ...args].map(escapeArg).join(' ')

/** The text people see, rules quote and spans point into. */
export const displayCommand = (command: Command): string =>
  command.mode === 'shell' ? command.script : buildCommand(command.program, command.args)
