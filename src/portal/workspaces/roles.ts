import type { Role } from '../../identity/index.ts'

/** The name of each role, and what its members may do. */
export const ROLE_LABELS: Record<Role, { label: string; hint: string }> = {
  owner: { label: 'Owner', hint: 'Everything, including deleting the workspace' },
  admin: { label: 'Admin', hint: 'Members, keys of the workspace, private memories' },
  editor: { label: 'Editor', hint: 'Reads and writes memories and projects' },
  viewer: { label: 'Viewer', hint: 'Reads only' },
}

export const ROLE_OPTIONS = (['viewer', 'editor', 'admin', 'owner'] as const).map((value) => ({
  value,
  label: `${ROLE_LABELS[value].label}: ${ROLE_LABELS[value].hint.toLowerCase()}`,
}))
