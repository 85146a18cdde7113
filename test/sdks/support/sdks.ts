import { homedir } from 'node:os'
import { join } from 'node:path'

export type SdkName = 'anthropic' | 'openai' | 'openai-agents' | 'ai-sdk-6' | 'ai-sdk-7' | 'langchain'

/** An SDK that an example is run with. */
export interface TestedSdk {
  readonly name: SdkName
  /** The subpath of the package. */
  readonly adapter: string
  /** Files in `examples/` and `docs/sdk/`. */
  readonly example: string
  readonly guide: string
  /** npm packages with exact versions. */
  readonly packages: readonly string[]
  /** Needs Node 22, which is installed beside the SDKs. */
  readonly isNode22?: true
}

export const SDKS: readonly TestedSdk[] = [
  {
    name: 'anthropic',
    adapter: 'anthropic',
    example: 'anthropic.mjs',
    guide: 'anthropic.md',
    packages: ['@anthropic-ai/sdk@1.10.0'],
  },
]

/** Directory of the SDKs, outside the checkout, so that they are downloaded once. */
const base = (): string =>
  process.env.CORDON_TEST_SDKS_DIR ?? join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cordon-test-sdks')

const versionOf = (spec: string): string => spec.slice(spec.lastIndexOf('@') + 1)

export const folderOf = ({ name, packages: [first = ''] }: TestedSdk): string =>
  join(base(), `${name}-${versionOf(first)}`)

/** npm's package of Node carries the program without an install script. */
export const NODE_22 = { folder: join(base(), 'node-22'), package: `node-linux-${process.arch}@22` } as const

/** The Node that runs the SDK. */
export const nodeFor = ({ isNode22 }: TestedSdk): string =>
  isNode22 ? join(NODE_22.folder, `node_modules/node-linux-${process.arch}/bin/node`) : process.execPath
