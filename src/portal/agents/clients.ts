/** The text to paste into an agent, and its place. */
export interface Snippet {
  /** Where it goes. */
  label: string
  text: string
}

/** An agent that speaks MCP, and how it connects to this service. */
export interface AgentClient {
  name: string
  /** Adds the server at a click. */
  button?: { label: string; href: string }
  /** Signs in with OAuth. */
  signIn: Snippet
  /** Sends an API key; null: the agent takes none. */
  key: Snippet | null
  /** It connects from its maker's servers, so it reaches public addresses only. */
  hosted?: true
}

/** Under which an agent lists the server. */
const NAME = 'recollect'
/** Where an agent keeps the key out of its files. */
const KEY_VARIABLE = 'RECOLLECT_KEY'
const BEARER = 'Bearer rck_…'

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** The agents that most people use, with what their documents ask for. `url` is the address of `/mcp`. */
export const agentClients = (url: string): readonly AgentClient[] => [
  {
    name: 'Claude',
    button: { label: 'Open the connectors of Claude', href: 'https://claude.ai/settings/connectors' },
    signIn: { label: 'Settings › Connectors › Add custom connector', text: url },
    key: null,
    hosted: true,
  },
  {
    name: 'Claude Code',
    signIn: {
      label: 'Run in a terminal, then /mcp to sign in',
      text: `claude mcp add --transport http ${NAME} ${url}`,
    },
    key: {
      label: 'Run in a terminal',
      text: `claude mcp add --transport http ${NAME} ${url} \\\n  --header "Authorization: ${BEARER}"`,
    },
  },
  {
    name: 'ChatGPT',
    button: { label: 'Open the connectors of ChatGPT', href: 'https://chatgpt.com/#settings/Connectors' },
    signIn: { label: 'Settings › Connectors › Create (developer mode), authentication OAuth', text: url },
    key: null,
    hosted: true,
  },
  {
    name: 'Cursor',
    button: { label: 'Add to Cursor', href: cursorLink({ url }) },
    signIn: { label: '.cursor/mcp.json', text: json({ mcpServers: { [NAME]: { url } } }) },
    key: {
      label: '.cursor/mcp.json',
      text: json({ mcpServers: { [NAME]: { url, headers: { Authorization: `Bearer \${env:${KEY_VARIABLE}}` } } } }),
    },
  },
  {
    name: 'VS Code',
    button: {
      label: 'Add to VS Code',
      href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, type: 'http', url }))}`,
    },
    signIn: { label: '.vscode/mcp.json', text: json({ servers: { [NAME]: { type: 'http', url } } }) },
    key: {
      label: '.vscode/mcp.json',
      text: json({
        inputs: [{ type: 'promptString', id: 'recollect_key', description: 'API key of Recollect', password: true }],
        servers: { [NAME]: { type: 'http', url, headers: { Authorization: 'Bearer ${input:recollect_key}' } } },
      }),
    },
  },
  {
    name: 'Codex',
    signIn: {
      label: 'Run in a terminal',
      text: `codex mcp add ${NAME} --url ${url}\ncodex mcp login ${NAME}`,
    },
    key: {
      label: '~/.codex/config.toml, with the key in the environment',
      text: `[mcp_servers.${NAME}]\nurl = "${url}"\nbearer_token_env_var = "${KEY_VARIABLE}"`,
    },
  },
  {
    name: 'Any other',
    signIn: { label: 'Its MCP configuration', text: json({ mcpServers: { [NAME]: { type: 'http', url } } }) },
    key: {
      label: 'Its MCP configuration',
      text: json({ mcpServers: { [NAME]: { type: 'http', url, headers: { Authorization: BEARER } } } }),
    },
  },
]

/** Cursor's install link: the configuration as Base64 of its JSON. */
function cursorLink(configuration: unknown): string {
  const query = new URLSearchParams({ name: NAME, config: btoa(JSON.stringify(configuration)) })
  return `cursor://anysphere.cursor-deeplink/mcp/install?${query.toString()}`
}
