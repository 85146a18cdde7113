import { execFile } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { blocks, page } from '../docs/markdown.js'
import { type ExampleGround, exampleGround, needsSdk, ROOT } from './support/run-example.js'
import { SDKS } from './support/sdks.js'

const OPTIONS = {
  target: 'ES2023',
  module: 'NodeNext',
  lib: ['ES2023'],
  strict: true,
  noUncheckedIndexedAccess: true,
  checkJs: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
}

const DECLARATIONS = join(ROOT, 'node_modules/.cache/cordon-sdk-types')
const compile = (...words: readonly string[]): Promise<{ readonly stdout: string }> =>
  promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...words]).catch(
    (error) => error,
  )

describe('the types of an adapter', () => {
  let isEmitted = false
  const emit = async (): Promise<void> => {
    if (!isEmitted)
      expect(await compile('-p', join(ROOT, 'tsconfig.build.json'), '--outDir', DECLARATIONS)).toMatchObject({
        stdout: '',
      })
    isEmitted = true
  }
  let ground: ExampleGround | undefined
  afterEach(() => ground?.remove())

  for (const { name, example, guide, adapter, isInexact = false } of SDKS) {
    it(`fit ${name} in its example and its guide`, async (context) => {
      ground = exampleGround(needsSdk(context, name))
      const { app } = ground
      await emit()
      copyFileSync(join(ROOT, 'examples', example), join(app, example))
      const shown = blocks(page(`docs/sdk/${guide}`)).filter(({ language }) => language === 'js')
      const files = [example, ...shown.map((_, index) => `shown-${index}.js`)]
      for (const [index, { text }] of shown.entries()) writeFileSync(join(app, `shown-${index}.js`), text)
      const paths = {
        cordon: [join(DECLARATIONS, 'index.d.ts')],
        [`cordon/${adapter}`]: [join(DECLARATIONS, `surface/sdk/${adapter}.d.ts`)],
      }
      const compilerOptions = { ...OPTIONS, exactOptionalPropertyTypes: !isInexact, paths }
      writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
      expect(await compile('-p', app)).toMatchObject({ stdout: '' })
    }, 300_000)
  }
})
