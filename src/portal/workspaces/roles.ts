import type { Role } from '../../identity/index.ts'

/** What each role is good for, in plain words. */
export const ROLE_WORDS: Record<Role, { label: string; hint: string }> = {
  owner: { label: 'Owner', hint: 'Everything, deleting the workspace included' },
  admin: { label: 'Admin', hint: 'Members, keys of the workspace, private memories' },
  editor: { label: 'Editor', hint: 'Reads and writes memories and projects' },
  viewer: { label: 'Viewer', hint: 'Reads only' },
}

export const ROLE_OPTIONS = (['viewer', 'editor', 'admin', 'owner'] as const).map((value) => ({
  value,
  label: `${ROLE_WORDS[value].label}: ${ROLE_WORDS[value].hint.toLowerCase()}`,
}))
