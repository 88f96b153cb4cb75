export const AGENTS = ['claude-code', 'codex', 'gemini', 'opencode', 'copilot', 'cursor'] as const
export type Agent = (typeof AGENTS)[number]

export const isAgent = (name: string | undefined): name is Agent => AGENTS.some((agent) => agent === name)

export const TITLES: Record<Agent, string> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'OpenCode',
  copilot: 'Copilot CLI',
  cursor: 'Cursor',
}
