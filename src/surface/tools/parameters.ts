import * as z from 'zod'
import type { ParameterSchema } from './tool.js'

const cwd = z.string().default('.').describe('Working directory, inside the workspace. Default: the workspace.')
const timeout = z
  .number()
  .nonnegative()
  .optional()
  .describe('Timeout in seconds. The profile sets the default and the maximum.')

export const BashParameters = z.strictObject({
  command: z.string().describe('The bash script to run. Pipelines, redirects and several lines work.'),
  cwd,
  timeout,
})
export type BashParameters = z.infer<typeof BashParameters>

export const ExecParameters = z.strictObject({
  mode: z
    .enum(['shell', 'structured'])
    .describe("'structured' runs one program with an array of arguments and no shell; 'shell' runs a bash script."),
  command: z.string().optional().describe("The bash script (mode 'shell')."),
  binary: z.string().optional().describe("The program's bare name, such as 'git' (mode 'structured')."),
  args: z
    .array(z.string())
    .default([])
    .describe("The program's arguments, each passed on literally (mode 'structured')."),
  cwd,
  timeout,
})
export type ExecParameters = z.infer<typeof ExecParameters>

/** The schema a model is given, without the dialect line some providers refuse. */
export function parameterSchema(schema: z.ZodType): ParameterSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}
