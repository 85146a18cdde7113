import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** A file of this folder as one that plain Node runs, for processes that have to die or to be somebody else. */
export async function bundled(name: string, file: string): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, name),
    platform: 'node',
    tsconfig: false,
    logLevel: 'silent',
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  return file
}
