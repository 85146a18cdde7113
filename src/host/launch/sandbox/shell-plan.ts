import type { Plan } from '../../../core/model/policy/plan.js'

/** Tells if a plan runs a script by `bash -c`. */
export const isShell = ({ argv }: Pick<Plan, 'argv'>): boolean => argv[1] === '-c' && /(^|\/)bash$/.test(argv[0] ?? '')
