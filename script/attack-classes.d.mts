export const CLASSES: readonly (readonly [name: string, suites: readonly string[]])[]
