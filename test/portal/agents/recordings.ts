/**
 * What an agent reads to connect, as its documents show it, with the values of this service. Recorded in November 2026 from
 * the documents of each agent; those of OpenCode are of version 1.
 */
export interface Recording {
  agent: string
  signIn: Setup
  /** Null: it takes no key. */
  key: Setup | null
}

/** An address to paste, commands with their words, or a file with what a parser reads in it. */
type Setup = { address: string } | { commands: string[][] } | { file: string; content: unknown }

export const MCP_URL = 'https://recollect.example/mcp'
const url = MCP_URL
const KEY = 'Bearer rck_…'

/** A JSON file whose servers have headers. */
const inFile = (
  agent: string,
  { file, member, server, bearer }: { file: string; member: string; server: object; bearer: string },
): Recording => ({
  agent,
  signIn: { file, content: { [member]: { recollect: server } } },
  key: { file, content: { [member]: { recollect: { ...server, headers: { Authorization: bearer } } } } },
})

export const RECORDINGS: Recording[] = [
  { agent: 'Claude', signIn: { address: url }, key: null },
  {
    agent: 'Claude Code',
    signIn: {
      commands: [
        ['claude', 'mcp', 'add', '--transport', 'http', 'recollect', url],
        ['claude', 'mcp', 'login', 'recollect'],
      ],
    },
    key: {
      commands: [
        ['claude', 'mcp', 'add', '--transport', 'http', 'recollect', url, '--header', `Authorization: ${KEY}`],
      ],
    },
  },
  { agent: 'ChatGPT', signIn: { address: `${url}?tools=search` }, key: null },
  inFile('Cursor', {
    file: '.cursor/mcp.json',
    member: 'mcpServers',
    server: { url },
    bearer: 'Bearer ${env:RECOLLECT_KEY}',
  }),
  {
    agent: 'VS Code',
    signIn: { file: '.vscode/mcp.json', content: { servers: { recollect: { type: 'http', url } } } },
    key: {
      file: '.vscode/mcp.json',
      content: {
        inputs: [{ type: 'promptString', id: 'recollect_key', description: 'API key of Recollect', password: true }],
        servers: { recollect: { type: 'http', url, headers: { Authorization: 'Bearer ${input:recollect_key}' } } },
      },
    },
  },
  {
    agent: 'Codex',
    signIn: {
      commands: [
        ['codex', 'mcp', 'add', 'recollect', '--url', url],
        ['codex', 'mcp', 'login', 'recollect'],
      ],
    },
    key: {
      file: '~/.codex/config.toml',
      content: { mcp_servers: { recollect: { url, bearer_token_env_var: 'RECOLLECT_KEY' } } },
    },
  },
  {
    agent: 'Gemini CLI',
    signIn: { commands: [['gemini', 'mcp', 'add', '--transport', 'http', 'recollect', url]] },
    key: {
      file: '~/.gemini/settings.json',
      content: { mcpServers: { recollect: { httpUrl: url, headers: { Authorization: 'Bearer $RECOLLECT_KEY' } } } },
    },
  },
  inFile('OpenCode', {
    file: 'opencode.json',
    member: 'mcp',
    server: { type: 'remote', url },
    bearer: 'Bearer {env:RECOLLECT_KEY}',
  }),
  inFile('Cline', {
    file: 'cline_mcp_settings.json',
    member: 'mcpServers',
    server: { type: 'streamableHttp', url },
    bearer: KEY,
  }),
  inFile('Windsurf', {
    file: '~/.codeium/windsurf/mcp_config.json',
    member: 'mcpServers',
    server: { serverUrl: url },
    bearer: 'Bearer ${env:RECOLLECT_KEY}',
  }),
  inFile('Zed', { file: 'settings.json', member: 'context_servers', server: { url }, bearer: KEY }),
  inFile('Goose', {
    file: '~/.config/goose/config.yaml',
    member: 'extensions',
    server: { name: 'recollect', type: 'streamable_http', uri: url, enabled: true },
    bearer: KEY,
  }),
  inFile('Any other', {
    file: 'Its MCP configuration',
    member: 'mcpServers',
    server: { type: 'http', url },
    bearer: KEY,
  }),
]
