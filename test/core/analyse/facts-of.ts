import { type AnalysisContext, analyse } from '../../../src/core/analyse/analyse.js'
import { type Answers, type Facts, noAnswers } from '../../../src/core/model/facts.js'

export const CONTEXT: AnalysisContext = { cwd: '/w', home: '/home/u', env: [] }

export const factsOf = (script: string, answers: Answers = noAnswers(), context: AnalysisContext = CONTEXT): Facts =>
  analyse({ mode: 'shell', script }, context, answers).facts

/** Invocations as lines, with what they go through. */
export const lines = (facts: Facts): readonly string[] =>
  facts.invocations.map(({ argv, via }) =>
    [...via.map((step) => `${step}:`), ...argv.map((arg) => (typeof arg === 'string' ? arg : '?'))].join(' '),
  )

export const paths = (facts: Facts, kind: 'reads' | 'writes' | 'deletes'): readonly string[] =>
  facts[kind].map(({ path }) => path)

export const hidden = (facts: Facts): boolean => facts.opaque.some((spot) => spot.kind === 'unknown')
