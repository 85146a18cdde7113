import * as z from 'zod'

/** A half-open range of UTF-16 offsets into the text of a request: `[from, to)`. */
export const Span = z.tuple([z.int().nonnegative(), z.int().nonnegative()]).readonly()
export type Span = z.infer<typeof Span>
