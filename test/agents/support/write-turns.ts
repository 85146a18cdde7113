import type { AgentName } from './agents.js'
import type { Turn } from './scripted-model.js'

/** Calls of each agent's own tool for new files. Codex offers the scripted model none. */
export const WRITES: Readonly<Partial<Record<AgentName, (path: string) => Turn>>> = {
  claude: (file_path) => ({ tool: 'Write', input: { file_path, content: 'x' } }),
  gemini: (file_path) => ({ tool: 'write_file', input: { file_path, content: 'x' } }),
  qwen: (file_path) => ({ tool: 'write_file', input: { file_path, content: 'x' } }),
  opencode: (filePath) => ({ tool: 'write', input: { filePath, content: 'x' } }),
  copilot: (path) => ({ tool: 'create', input: { path, file_text: 'x' } }),
  pi: (path) => ({ tool: 'write', input: { path, content: 'x' } }),
}
