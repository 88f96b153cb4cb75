import { ROLES_THAT } from '../access.ts'
import type { Role } from '../table.ts'

/** A change of one membership: what the rules look at. */
export interface MemberChange {
  /** Role of the caller. */
  actor: Role
  /** The caller is the member. */
  self: boolean
  current: Role
  /** null: the member is removed. */
  next: Role | null
  /** The member is a workspace's service account. */
  service: boolean
  /** Number of people with the role owner, the member included. */
  owners: number
}

/** `allowed`, or the rule that refuses the change. */
export type Decision = 'allowed' | 'not_managed' | 'owners_only' | 'service_role' | 'last_owner'

/**
 * Decides who may change whose role (contract §4). Admins and owners manage. Everybody may leave or step down. Only
 * owners make or unmake owners. The highest role of a service account is editor. A workspace keeps an owner.
 */
export function decide({ actor, self, current, next, service, owners }: MemberChange): Decision {
  const stepsDown = self && (next === null || rank(next) <= rank(current))
  if (!stepsDown && !ROLES_THAT.manage.includes(actor)) return 'not_managed'
  if (!stepsDown && actor !== 'owner' && (current === 'owner' || next === 'owner')) return 'owners_only'
  if (service && next !== null && rank(next) > rank('editor')) return 'service_role'
  if (current === 'owner' && next !== 'owner' && owners <= 1) return 'last_owner'
  return 'allowed'
}

const RANKS: Record<Role, number> = { viewer: 0, editor: 1, admin: 2, owner: 3 }
const rank = (role: Role): number => RANKS[role]
