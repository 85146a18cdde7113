import * as z from 'zod'

/** Options of a Markdown reply besides those of each of its blocks. */
export const MarkdownSteps = z.strictObject({
  continueOnError: z.boolean().default(false),
  from: z.int().min(0).default(0),
})
