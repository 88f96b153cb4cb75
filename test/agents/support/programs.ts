import type { Agent } from '../../../client/src/cli/agent/agents.ts'
import { addCommand, configOf } from './snippets.ts'

/** A coding agent as a person gets it. */
export interface Program {
  agent: Exclude<Agent, 'cursor'>
  /** On npm. */
  package: string
  bin: string
  /** `model`: the address of the scripted one. */
  env: (home: string, model: string) => Record<string, string>
  /** The files that it needs, by their path in its home. */
  files: (model: string) => Record<string, string>
  /** The arguments of one session with one prompt. */
  ask: (prompt: string) => string[]
  /** Adds the MCP server: arguments of the program, or files in the home. `RECOLLECT_KEY` has the key too. */
  connect: (url: string, key: string) => { args?: string[]; files?: Record<string, string> }
}

const NO_FILES = () => ({})
const header = (key: string) => ['--header', `Authorization: Bearer ${key}`]

export const PROGRAMS: readonly Program[] = [
  {
    agent: 'claude-code',
    package: '@anthropic-ai/claude-code',
    bin: 'claude',
    env: (home, model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CONFIG_DIR: `${home}/claude`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    files: NO_FILES,
    ask: (prompt) => ['-p', prompt],
    connect: (url, key) => ({ args: [...addCommand('claude', url), ...header(key)] }),
  },
  {
    agent: 'codex',
    package: '@openai/codex',
    bin: 'codex',
    env: (home) => ({ CODEX_HOME: `${home}/codex`, SCRIPTED_KEY: 'scripted' }),
    files: (model) => ({
      'codex/config.toml': `model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "Scripted"
base_url = "${model}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
`,
    }),
    // In a test alone: a person trusts the hooks in /hooks.
    ask: (prompt) => ['exec', '--dangerously-bypass-hook-trust', prompt],
    connect: (url) => ({ args: [...addCommand('codex', url), '--bearer-token-env-var', 'RECOLLECT_KEY'] }),
  },
  {
    agent: 'gemini',
    package: '@google/gemini-cli',
    bin: 'gemini',
    env: (home, model) => ({
      GEMINI_API_KEY: 'scripted',
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_CLI_HOME: home,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    // As a person chooses it in /auth.
    files: () => ({ '.gemini/settings.json': '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' }),
    // Without the name of a model it asks another one which to take.
    ask: (prompt) => ['-m', 'gemini-2.5-flash', '-p', prompt],
    connect: (url, key) => ({ args: [...addCommand('gemini', url), ...header(key)] }),
  },
  {
    agent: 'opencode',
    package: 'opencode-ai',
    bin: 'opencode',
    env: (home) => ({
      XDG_CONFIG_HOME: `${home}/.config`,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }),
    files: (model) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model}/v1`, apiKey: 'scripted' },
            models: { scripted: {} },
          },
        },
      }),
    }),
    ask: (prompt) => ['run', prompt],
    connect: (url, key) => ({ files: { 'api/opencode.json': configOf('OpenCode 1,', 'mcp', url, key) } }),
  },
  {
    agent: 'copilot',
    package: '@github/copilot',
    bin: 'copilot',
    env: (home, model) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_MODEL: 'scripted',
      COPILOT_HOME: `${home}/copilot`,
    }),
    files: NO_FILES,
    ask: (prompt) => ['-p', prompt, '--allow-all-tools'],
    connect: (url, key) => ({
      files: { 'copilot/mcp-config.json': configOf('Any other client', 'mcpServers', url, key) },
    }),
  },
]
