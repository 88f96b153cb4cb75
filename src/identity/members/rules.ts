import { ROLES_THAT } from '../access.ts'
import type { Role } from '../table.ts'

/** A change of one membership, as far as the rules care. `next` null: the member goes. */
export interface MemberChange {
  /** Role of who asks. */
  actor: Role
  /** Who asks is the member. */
  self: boolean
  current: Role
  next: Role | null
  /** The member is a workspace's service account. */
  service: boolean
  /** People with the role owner, the member included. */
  owners: number
}

export type Verdict = 'allowed' | 'not_managed' | 'owners_only' | 'service_role' | 'last_owner'

/**
 * Who may change whose role: admins and owners manage, everybody may leave or step down, only owners make or unmake
 * owners, a service account is editor at most, and a workspace keeps an owner (contract §4).
 */
export function judge({ actor, self, current, next, service, owners }: MemberChange): Verdict {
  const stepsDown = self && (next === null || rank(next) <= rank(current))
  if (!stepsDown && !ROLES_THAT.manage.includes(actor)) return 'not_managed'
  if (!stepsDown && actor !== 'owner' && (current === 'owner' || next === 'owner')) return 'owners_only'
  if (service && next !== null && rank(next) > rank('editor')) return 'service_role'
  if (current === 'owner' && next !== 'owner' && owners <= 1) return 'last_owner'
  return 'allowed'
}

const RANKS: Record<Role, number> = { viewer: 0, editor: 1, admin: 2, owner: 3 }
const rank = (role: Role): number => RANKS[role]
