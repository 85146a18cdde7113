/** Where a command is run: what relative paths and `~` mean, and the variables given with the request. */
export interface AnalysisContext {
  readonly cwd: string
  readonly home: string
  readonly env: readonly (readonly [string, string])[]
  /** What the command can read on its standard input; nothing is known of it where this is missing. */
  readonly stdin?: string
  /**
   * The rest of the environment the command will find, null where a value is not told. Where this is missing nothing is known of it: a
   * variable that the script does not set may then hold anything.
   */
  readonly inherited?: readonly (readonly [string, string | null])[]
}
