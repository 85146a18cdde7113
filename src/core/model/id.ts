/** An id of a request begins with the millisecond it came in: that many characters. */
const TIME_CHARS = 8

/** The beginning of a request's id that people are shown. Only a request of the same millisecond begins like it. */
export const shortId = (id: string): string => id.slice(0, TIME_CHARS)
