/**
 * What agents send, as text. Their `client_id` stands as `{client_id}`, this service as `{base}`, and S256 challenges are ours.
 * From the sources and documents of these agents, as of November 2026.
 */

export interface Registration {
  agent: string
  body: string
  /** The redirect URIs that the answer keeps. */
  kept: string[]
  /** Queries of authorization requests, and where each leads. */
  requests: { query: string; redirect: string; scope: string }[]
}

const AGENT = 'read:memory write:memory read:projects read:profile'
const PKCE = 'code_challenge={challenge}&code_challenge_method=S256'

export const REGISTRATIONS: Registration[] = [
  {
    agent: 'VS Code',
    body: '{"client_name":"Visual Studio Code","client_uri":"https://code.visualstudio.com","grant_types":["authorization_code","refresh_token"],"response_types":["code"],"redirect_uris":["https://insiders.vscode.dev/redirect","https://vscode.dev/redirect","http://127.0.0.1/","http://127.0.0.1:33418/"],"scope":"read:memory write:memory read:projects read:profile","token_endpoint_auth_method":"none","application_type":"native"}',
    kept: [
      'https://insiders.vscode.dev/redirect',
      'https://vscode.dev/redirect',
      'http://127.0.0.1/',
      'http://127.0.0.1:33418/',
    ],
    requests: [
      {
        query: `client_id={client_id}&response_type=code&${PKCE}&scope=read%3Amemory+write%3Amemory+read%3Aprojects+read%3Aprofile&resource={base}%2Fmcp&redirect_uri=http%3A%2F%2F127.0.0.1%3A33418%2F&state=xK%2Fb9Q%2BZ0d2mDkQv4b1uXw%3D%3D`,
        redirect: 'http://127.0.0.1:33418/',
        scope: AGENT,
      },
      {
        // The usual port was taken.
        query: `client_id={client_id}&response_type=code&${PKCE}&scope=read%3Amemory+write%3Amemory+read%3Aprojects+read%3Aprofile&resource={base}%2Fmcp&redirect_uri=http%3A%2F%2F127.0.0.1%3A51423%2F&state=xK%2Fb9Q%2BZ0d2mDkQv4b1uXw%3D%3D`,
        redirect: 'http://127.0.0.1:51423/',
        scope: AGENT,
      },
      {
        query: `client_id={client_id}&response_type=code&${PKCE}&scope=read%3Amemory+write%3Amemory+read%3Aprojects+read%3Aprofile&resource={base}%2Fmcp&redirect_uri=https%3A%2F%2Fvscode.dev%2Fredirect&state=vscode%3A%2F%2Fdynamicauthprovider%2Frecollect.test%2Fauthorize%3Fnonce%3D1`,
        redirect: 'https://vscode.dev/redirect',
        scope: AGENT,
      },
      {
        query: `client_id={client_id}&response_type=code&${PKCE}&scope=openid+profile+email+read%3Amemory&redirect_uri=http%3A%2F%2F127.0.0.1%3A33418%2F&state=a`,
        redirect: 'http://127.0.0.1:33418/',
        scope: 'read:memory',
      },
    ],
  },
  {
    agent: 'VS Code, a version that asks for OpenID scopes',
    body: '{"client_name":"Visual Studio Code","client_uri":"https://code.visualstudio.com","grant_types":["authorization_code","refresh_token"],"response_types":["code"],"redirect_uris":["https://insiders.vscode.dev/redirect","https://vscode.dev/redirect","http://localhost/","http://127.0.0.1/","http://localhost:33418/","http://127.0.0.1:33418/"],"scope":"openid profile email read:memory write:memory read:projects read:profile","token_endpoint_auth_method":"none"}',
    kept: [
      'https://insiders.vscode.dev/redirect',
      'https://vscode.dev/redirect',
      'http://localhost/',
      'http://127.0.0.1/',
      'http://localhost:33418/',
      'http://127.0.0.1:33418/',
    ],
    requests: [
      {
        query: `client_id={client_id}&response_type=code&${PKCE}&scope=openid+profile+email+read%3Amemory+write%3Amemory+read%3Aprojects+read%3Aprofile&resource={base}%2Fmcp&redirect_uri=http%3A%2F%2Flocalhost%3A60001%2F&state=b`,
        redirect: 'http://localhost:60001/',
        scope: AGENT,
      },
    ],
  },
  {
    agent: 'Cursor',
    body: '{"redirect_uris":["cursor://anysphere.cursor-mcp/oauth/callback","https://www.cursor.com/agents/mcp/oauth/callback","http://localhost:8787/callback"],"token_endpoint_auth_method":"none","grant_types":["authorization_code","refresh_token"],"response_types":["code"],"client_name":"Cursor","client_uri":"https://cursor.com","scope":"read:memory write:memory read:projects read:profile"}',
    kept: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ],
    requests: [
      {
        query: `response_type=code&client_id={client_id}&${PKCE}&redirect_uri=cursor%3A%2F%2Fanysphere.cursor-mcp%2Foauth%2Fcallback&state=eyJpZCI6InJlY29sbGVjdCJ9&scope=read%3Amemory+write%3Amemory+read%3Aprojects+read%3Aprofile&resource={base}%2Fmcp`,
        redirect: 'cursor://anysphere.cursor-mcp/oauth/callback',
        scope: AGENT,
      },
      {
        query: `response_type=code&client_id={client_id}&${PKCE}&redirect_uri=https%3A%2F%2Fwww.cursor.com%2Fagents%2Fmcp%2Foauth%2Fcallback&state=s&scope=read%3Amemory+write%3Amemory+read%3Aprojects+read%3Aprofile&resource={base}%2Fmcp`,
        redirect: 'https://www.cursor.com/agents/mcp/oauth/callback',
        scope: AGENT,
      },
      {
        query: `response_type=code&client_id={client_id}&${PKCE}&redirect_uri=http%3A%2F%2Flocalhost%3A8787%2Fcallback&state=s&scope=read%3Amemory+write%3Amemory+read%3Aprojects+read%3Aprofile&resource={base}%2Fmcp`,
        redirect: 'http://localhost:8787/callback',
        scope: AGENT,
      },
    ],
  },
  {
    agent: 'ChatGPT, where it registers itself',
    body: '{"client_name":"ChatGPT","redirect_uris":["https://chatgpt.com/connector/oauth/aB3_dE5-fG7h"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none","scope":"read:memory write:memory read:projects read:profile"}',
    kept: ['https://chatgpt.com/connector/oauth/aB3_dE5-fG7h'],
    requests: [
      {
        query: `response_type=code&client_id={client_id}&redirect_uri=https%3A%2F%2Fchatgpt.com%2Fconnector%2Foauth%2FaB3_dE5-fG7h&state=oauth_s_1&scope=read%3Amemory%20write%3Amemory%20read%3Aprojects%20read%3Aprofile&${PKCE}&resource={base}%2Fmcp`,
        redirect: 'https://chatgpt.com/connector/oauth/aB3_dE5-fG7h',
        scope: AGENT,
      },
    ],
  },
  {
    agent: 'MCP Inspector',
    body: '{"redirect_uris":["http://localhost:6274/oauth/callback"],"token_endpoint_auth_method":"none","grant_types":["authorization_code","refresh_token"],"response_types":["code"],"client_name":"MCP Inspector","client_uri":"https://github.com/modelcontextprotocol/inspector","scope":"read:memory write:memory read:projects read:profile"}',
    kept: ['http://localhost:6274/oauth/callback'],
    requests: [
      {
        query: `response_type=code&client_id={client_id}&${PKCE}&redirect_uri=http%3A%2F%2Flocalhost%3A6274%2Foauth%2Fcallback&state=0f1e2d&scope=read%3Amemory+write%3Amemory+read%3Aprojects+read%3Aprofile&resource={base}%2Fmcp`,
        redirect: 'http://localhost:6274/oauth/callback',
        scope: AGENT,
      },
    ],
  },
]

export interface RecordedDocument {
  agent: string
  url: string
  document: string
  requests: { query: string; redirect: string; scope: string }[]
}

export const DOCUMENTS: RecordedDocument[] = [
  {
    agent: 'Claude Code',
    url: 'https://claude.ai/oauth/claude-code-client-metadata',
    document:
      '{"client_id":"https://claude.ai/oauth/claude-code-client-metadata","client_name":"Claude Code","client_uri":"https://claude.ai","redirect_uris":["http://localhost/callback","http://127.0.0.1/callback"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none"}',
    requests: [
      {
        query: `response_type=code&client_id=https%3A%2F%2Fclaude.ai%2Foauth%2Fclaude-code-client-metadata&${PKCE}&redirect_uri=http%3A%2F%2Flocalhost%3A55611%2Fcallback&state=Zm9v&scope=read%3Amemory+write%3Amemory+read%3Aprojects+read%3Aprofile&resource={base}%2Fmcp`,
        redirect: 'http://localhost:55611/callback',
        scope: AGENT,
      },
      {
        query: `response_type=code&client_id=https%3A%2F%2Fclaude.ai%2Foauth%2Fclaude-code-client-metadata&${PKCE}&redirect_uri=http%3A%2F%2F127.0.0.1%3A52163%2Fcallback&state=Zm9v&resource={base}%2Fmcp`,
        redirect: 'http://127.0.0.1:52163/callback',
        scope: AGENT,
      },
    ],
  },
  {
    agent: 'Claude',
    url: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    document:
      '{"client_id":"https://claude.ai/oauth/mcp-oauth-client-metadata","client_name":"Claude","client_uri":"https://claude.ai","redirect_uris":["https://claude.ai/api/mcp/auth_callback","https://claude.com/api/mcp/auth_callback"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none"}',
    requests: [
      {
        query: `response_type=code&client_id=https%3A%2F%2Fclaude.ai%2Foauth%2Fmcp-oauth-client-metadata&redirect_uri=https%3A%2F%2Fclaude.ai%2Fapi%2Fmcp%2Fauth_callback&${PKCE}&state=aGVsbG8&scope=read%3Amemory+write%3Amemory+read%3Aprojects+read%3Aprofile&resource={base}%2Fmcp`,
        redirect: 'https://claude.ai/api/mcp/auth_callback',
        scope: AGENT,
      },
    ],
  },
  {
    agent: 'ChatGPT',
    url: 'https://chatgpt.com/oauth/aB3_dE5-fG7h/client.json',
    document:
      '{"client_id":"https://chatgpt.com/oauth/aB3_dE5-fG7h/client.json","client_name":"ChatGPT","client_uri":"https://chatgpt.com","redirect_uris":["https://chatgpt.com/connector/oauth/aB3_dE5-fG7h"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"private_key_jwt","token_endpoint_auth_signing_alg":"ES256","jwks_uri":"https://chatgpt.com/oauth/jwks.json"}',
    requests: [
      {
        query: `response_type=code&client_id=https%3A%2F%2Fchatgpt.com%2Foauth%2FaB3_dE5-fG7h%2Fclient.json&redirect_uri=https%3A%2F%2Fchatgpt.com%2Fconnector%2Foauth%2FaB3_dE5-fG7h&state=oauth_s_1&scope=read%3Amemory%20write%3Amemory%20read%3Aprojects%20read%3Aprofile&${PKCE}&resource={base}%2Fmcp`,
        redirect: 'https://chatgpt.com/connector/oauth/aB3_dE5-fG7h',
        scope: AGENT,
      },
    ],
  },
]
