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
  /** Does not compile with `exactOptionalPropertyTypes` itself. */
  readonly isInexact?: true
}

const ZOD = 'zod@4.6.7'

export const SDKS: readonly TestedSdk[] = [
  {
    name: 'anthropic',
    adapter: 'anthropic',
    example: 'anthropic.mjs',
    guide: 'anthropic.md',
    packages: ['@anthropic-ai/sdk@1.10.0'],
  },
  {
    name: 'ai-sdk-6',
    adapter: 'ai-sdk',
    example: 'ai-sdk-6.mjs',
    guide: 'ai-sdk.md',
    packages: ['ai@6.0.326', '@ai-sdk/anthropic@3.0.138', ZOD],
  },
  {
    name: 'ai-sdk-7',
    adapter: 'ai-sdk',
    example: 'ai-sdk.mjs',
    guide: 'ai-sdk.md',
    packages: ['ai@7.0.173', '@ai-sdk/anthropic@4.0.105', ZOD],
    isNode22: true,
  },
  {
    name: 'openai',
    adapter: 'openai',
    example: 'openai.mjs',
    guide: 'openai.md',
    packages: ['openai@7.55.0'],
    isNode22: true,
  },
  {
    name: 'openai-agents',
    adapter: 'openai-agents',
    example: 'openai-agents.mjs',
    guide: 'openai-agents.md',
    packages: ['@openai/agents@0.20.0', ZOD],
    isNode22: true,
  },
  {
    name: 'langchain',
    adapter: 'langchain',
    example: 'langchain.mjs',
    isInexact: true,
    guide: 'langchain.md',
    packages: [
      'langchain@1.5.14',
      '@langchain/core@1.2.13',
      '@langchain/langgraph@1.4.17',
      '@langchain/langgraph-checkpoint@1.1.5',
      '@langchain/anthropic@1.5.11',
      ZOD,
    ],
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
