import { mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

export type AgentName = 'claude' | 'codex' | 'gemini' | 'opencode' | 'copilot' | 'qwen' | 'pi'

/** A coding agent that the tests drive: how it is installed, and how it is started against a scripted model. */
export interface TestedAgent {
  readonly name: AgentName
  /** The npm package with its exact version. A newer one may behave otherwise. */
  readonly package: string
  /** The program, below node_modules. A `.js` file is run by Node. */
  readonly program: string
  /** Writes what the agent needs to find the model. */
  prepare(home: string, url: string): void
  env(url: string): Readonly<Record<string, string>>
  readonly argv: readonly string[]
}

/** Returns the directory an agent is installed in: outside the checkout, so that it is downloaded once. */
export const cacheOf = ({ name, package: spec }: Pick<TestedAgent, 'name' | 'package'>): string => {
  const base =
    process.env.CORDON_TEST_AGENTS_DIR ??
    join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cordon-test-agents')
  return join(base, `${name}-${spec.slice(spec.lastIndexOf('@') + 1)}`)
}

function write(home: string, path: string, value: unknown): void {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value, null, 2))
}

const openAi = (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'dummy', OPENAI_MODEL: 'scripted' })

export const AGENTS: readonly TestedAgent[] = [
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code@2.1.327',
    program: `@anthropic-ai/claude-code-linux-${process.arch}/claude`,
    prepare() {},
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
    }),
    argv: ['-p', 'go', '--model', 'claude-sonnet-4-5', '--allowedTools', 'Bash,Write,Edit'],
  },
  {
    name: 'codex',
    package: '@openai/codex@0.169.0',
    program: '@openai/codex/bin/codex.js',
    prepare(home, url) {
      write(
        home,
        '.codex/config.toml',
        `model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
`,
      )
    },
    env: () => ({ SCRIPTED_KEY: 'dummy' }),
    argv: ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', '-s', 'danger-full-access', 'go'],
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli@0.61.0',
    program: '.bin/gemini',
    prepare(home) {
      write(home, '.gemini/settings.json', {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      })
    },
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'dummy', GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    argv: ['-m', 'gemini-2.5-flash', '-p', 'go', '--yolo'],
  },
  {
    name: 'opencode',
    package: 'opencode-ai@1.18.33',
    program: `opencode-linux-${process.arch}/bin/opencode`,
    prepare(home, url) {
      // Otherwise it waits for a package of its own, which it asks a registry for as soon as there is a plugin.
      write(home, '.npmrc', 'registry=http://127.0.0.1:9\nfetch-retries=0\n')
      const scripted = { name: 'Scripted', tool_call: true, limit: { context: 100_000, output: 4_096 } }
      write(home, '.config/opencode/opencode.json', {
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
        autoupdate: false,
        share: 'disabled',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Scripted',
            options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
            models: { scripted },
          },
        },
      })
    },
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    argv: ['run', 'go'],
  },
  {
    name: 'copilot',
    package: '@github/copilot@1.0.102',
    program: `@github/copilot-linux-${process.arch}/copilot`,
    prepare() {},
    env: (url) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_MODEL: 'scripted',
      COPILOT_PROVIDER_API_KEY: 'dummy',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    }),
    argv: ['-p', 'go', '--allow-all-tools'],
  },
  {
    name: 'qwen',
    package: '@qwen-code/qwen-code@0.24.4',
    program: '.bin/qwen',
    prepare() {},
    env: openAi,
    argv: ['-p', 'go', '--yolo', '--auth-type', 'openai'],
  },
  {
    name: 'pi',
    package: '@mariozechner/pi-coding-agent@0.73.1',
    program: '.bin/pi',
    prepare(home, url) {
      const scripted = {
        baseUrl: `${url}/v1`,
        api: 'openai-completions',
        apiKey: 'dummy',
        models: [{ id: 'scripted' }],
      }
      write(home, '.pi/agent/models.json', { providers: { scripted } })
    },
    env: () => ({ PI_OFFLINE: '1' }),
    argv: ['-p', 'go', '--provider', 'scripted', '--model', 'scripted'],
  },
]
