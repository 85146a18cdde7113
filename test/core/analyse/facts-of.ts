import { type AnalysisInput, analyse } from '../../../src/core/analyse/analyse.js'
import { type Answers, type Facts, noAnswers } from '../../../src/core/model/run/facts.js'

export const CONTEXT: AnalysisInput = { cwd: '/w', home: '/home/u', env: [] }

export const factsOf = (script: string, answers: Answers = noAnswers(), context: AnalysisInput = CONTEXT): Facts =>
  analyse({ mode: 'shell', script }, context, answers).facts

/** Returns each invocation as a line with the programs before it. */
export const lines = (facts: Facts): readonly string[] =>
  facts.invocations.map(({ argv, via }) =>
    [...via.map((step) => `${step}:`), ...argv.map((arg) => (typeof arg === 'string' ? arg : '?'))].join(' '),
  )

export const paths = (facts: Facts, kind: 'reads' | 'writes' | 'deletes'): readonly string[] =>
  facts[kind].map(({ path }) => path)

export const hasUnknown = (facts: Facts): boolean => facts.opaque.some((spot) => spot.kind === 'unknown')
