/** The text to paste into an agent, and its place. */
export interface Snippet {
  /** Where it goes. */
  label: string
  text: string
}

/** An agent that speaks MCP, and how it connects to this service. */
export interface AgentClient {
  name: string
  /** Two letters, where those of the name are the mark of another agent. */
  mark?: string
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
/** Stands for the key in a snippet that holds it. */
const PLACEHOLDER = 'rck_…'
const BEARER = `Bearer ${PLACEHOLDER}`
const GOOSE_FILE = '~/.config/goose/config.yaml'

/** In the address of an agent's tab. */
export const slugOf = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-')

/** What to paste where the key is known: into the snippet, into the environment that it names, or when the agent asks. */
export function filledIn(snippet: Snippet, key: string): Snippet[] {
  const { label, text } = snippet
  if (text.includes(PLACEHOLDER)) return [{ label, text: text.replaceAll(PLACEHOLDER, key) }]
  const isNamed = `${label} ${text}`.includes(KEY_VARIABLE)
  const first = isNamed
    ? { label: 'Run in the terminal that starts the agent', text: `export ${KEY_VARIABLE}=${key}` }
    : { label: 'The key, for which the agent asks', text: key }
  return [first, snippet]
}

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
      label: 'Run in a terminal',
      text: `claude mcp add --transport http ${NAME} ${url}\nclaude mcp login ${NAME}`,
    },
    key: {
      label: 'Run in a terminal',
      text: `claude mcp add --transport http ${NAME} ${url} \\\n  --header "Authorization: ${BEARER}"`,
    },
  },
  {
    name: 'ChatGPT',
    button: { label: 'Open the connectors of ChatGPT', href: 'https://chatgpt.com/#settings/Connectors' },
    signIn: {
      label: 'Settings › Connectors › Create (developer mode), authentication OAuth',
      text: `${url}?tools=search`,
    },
    key: null,
    hosted: true,
  },
  {
    name: 'Cursor',
    button: { label: 'Add to Cursor', href: cursorLink({ url }) },
    ...inFile('.cursor/mcp.json', 'mcpServers', { url }, `Bearer \${env:${KEY_VARIABLE}}`),
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
      label: `~/.codex/config.toml, with the key in ${KEY_VARIABLE}`,
      text: `[mcp_servers.${NAME}]\nurl = "${url}"\nbearer_token_env_var = "${KEY_VARIABLE}"`,
    },
  },
  {
    name: 'Gemini CLI',
    signIn: {
      label: `Run in a terminal, then /mcp auth ${NAME} in Gemini CLI`,
      text: `gemini mcp add --transport http ${NAME} ${url}`,
    },
    key: {
      label: `~/.gemini/settings.json, with the key in ${KEY_VARIABLE}`,
      text: json({ mcpServers: { [NAME]: { httpUrl: url, headers: { Authorization: `Bearer $${KEY_VARIABLE}` } } } }),
    },
  },
  {
    name: 'OpenCode',
    ...inFile(
      'opencode.json',
      'mcp',
      { type: 'remote', url },
      `Bearer {env:${KEY_VARIABLE}}`,
      `opencode mcp auth ${NAME}`,
    ),
  },
  { name: 'Cline', mark: 'Cn', ...inFile('cline_mcp_settings.json', 'mcpServers', { type: 'streamableHttp', url }) },
  {
    name: 'Windsurf',
    ...inFile(
      '~/.codeium/windsurf/mcp_config.json',
      'mcpServers',
      { serverUrl: url },
      `Bearer \${env:${KEY_VARIABLE}}`,
    ),
  },
  { name: 'Zed', ...inFile('settings.json', 'context_servers', { url }) },
  {
    name: 'Goose',
    signIn: { label: GOOSE_FILE, text: gooseExtension(url) },
    key: { label: GOOSE_FILE, text: `${gooseExtension(url)}\n    headers:\n      Authorization: ${BEARER}` },
  },
  { name: 'Any other', ...inFile('Its MCP configuration', 'mcpServers', { type: 'http', url }) },
]
/**
 * A server in a JSON file. `bearer` holds the key, or says where in the environment the agent finds it; `then` is the
 * command that signs in.
 */
function inFile(
  file: string,
  member: string,
  server: Record<string, unknown>,
  bearer = BEARER,
  then?: string,
): Pick<AgentClient, 'signIn' | 'key'> {
  return {
    signIn: { label: then ? `${file}, then run ${then}` : file, text: json({ [member]: { [NAME]: server } }) },
    key: {
      label: bearer === BEARER ? file : `${file}, with the key in ${KEY_VARIABLE}`,
      text: json({ [member]: { [NAME]: { ...server, headers: { Authorization: bearer } } } }),
    },
  }
}

const gooseExtension = (url: string): string =>
  [
    'extensions:',
    `  ${NAME}:`,
    `    name: ${NAME}`,
    '    type: streamable_http',
    `    uri: ${url}`,
    '    enabled: true',
  ].join('\n')

/** Cursor's install link: the configuration as Base64 of its JSON. */
function cursorLink(configuration: unknown): string {
  const query = new URLSearchParams({ name: NAME, config: btoa(JSON.stringify(configuration)) })
  return `cursor://anysphere.cursor-deeplink/mcp/install?${query.toString()}`
}
