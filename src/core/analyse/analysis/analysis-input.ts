/** The conditions of a command: its directory, its home, and the variables of the request. */
export interface AnalysisInput {
  readonly cwd: string
  readonly home: string
  readonly env: readonly (readonly [string, string])[]
  /** The standard input of the command. Undefined if it is unknown. */
  readonly stdin?: string
  /** The rest of the environment (null: not disclosed). Without it, a variable that is not set can hold anything. */
  readonly inherited?: readonly (readonly [string, string | null])[]
}

/** Returns a variable of the environment: undefined if it does not exist, null if its value is not disclosed. */
export function inheritedValue({ inherited = [] }: AnalysisInput, name: string): string | null | undefined {
  return inherited.find(([given]) => given === name)?.[1]
}

/** Tells whether a variable that the script does not set can come from an unknown environment. */
export const mayInherit = ({ inherited }: AnalysisInput, name: string): boolean =>
  inherited === undefined && /^[A-Z][A-Z0-9_]*$/.test(name)
