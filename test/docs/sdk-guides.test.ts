import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sdkCommands } from '../../src/surface/sdk/sdk-commands.js'
import { openWorkbench, type Workbench } from '../conformance/workbench.js'
import { SDKS } from '../sdks/support/sdks.js'
import { page, rows } from './markdown.js'

describe('the guide to an SDK', () => {
  let refused = ''
  let bench: Workbench
  beforeAll(async () => {
    bench = await openWorkbench()
    refused = (await sdkCommands(bench.cordon).answer({ command: 'sudo id' })).text
  })
  afterAll(() => bench.close())

  it.each(SDKS)('begins with the import and ends with a refusal: $name', ({ adapter, guide }) => {
    const lines = page(`docs/sdk/${guide}`).trimEnd().split('\n')
    expect(lines[0]).toMatch(new RegExp(`^\`import \\{ .* \\} from 'cordon/${adapter}'\`$`))
    const last = /^`(.+)`$/.exec(lines.at(-1) ?? '')?.[1] ?? 'none'
    expect(refused).toContain(last)
    expect(
      rows(page(`docs/sdk/${guide}`))
        .flat()
        .join(' '),
    ).toContain('**open**')
  })

  it('is named by the package, and listed with the version that is tested', () => {
    const { exports } = JSON.parse(page('package.json'))
    for (const { adapter, guide, example } of SDKS) {
      expect(exports).toHaveProperty([`./${adapter}`])
      expect(page('docs/sdk/README.md')).toContain(`(${guide})`)
      expect(page('examples/README.md')).toContain(`(${example})`)
    }
  })
})
