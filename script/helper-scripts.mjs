import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DIRECTORY = join(import.meta.dirname, '../src/host/helper-scripts')

/** Puts the Perl and shell helpers beside a bundle, where the bundled code looks for them. */
export const helperScripts = {
  name: 'helper-scripts',
  generateBundle() {
    for (const name of readdirSync(DIRECTORY).filter((one) => !one.endsWith('.ts'))) {
      this.emitFile({ type: 'asset', fileName: `helper-scripts/${name}`, source: readFileSync(join(DIRECTORY, name)) })
    }
  },
}
