import type { AuthContext } from '../../core/context.ts'
import { storedForms } from '../../core/values/normal-form.ts'
import { keyEnd } from '../conversations/turn.ts'
import { destinationOf, type Operation } from './operation.ts'
import { movesOf } from './plan/custom-ids.ts'

/** What was made of the texts of a request. */
export interface Hashed {
  /** The hash of each text. */
  hashes: ReadonlyMap<string, string>
  /** What identifies the turn of an operation. */
  turnKeys: ReadonlyMap<Operation, string>
}

export type Keys = ReturnType<typeof keysOf>
type PlaceKey = [projectId: string, namespace: string, value: string | undefined]

/** The keys of each look-up, as the JSON lists that the statements of a snapshot take. */
export function keysOf(ctx: AuthContext, operations: readonly Operation[], { hashes, turnKeys }: Hashed) {
  const ids = new Set<string>()
  const superseded = new Set<string>()
  const projects = new Set<string>()
  const customIds: PlaceKey[] = []
  const turns: [...PlaceKey, from: string, to: string, part: number][] = []
  const texts: [...PlaceKey, subject: string | null][] = []
  const moves: [id: string, namespace: string | null, customId: string | null][] = []
  const grantees: [projectId: string | null, itemId: string | null, userId: string][] = []
  const movesByOperation = movesOf(operations)
  for (const [index, operation] of operations.entries()) {
    if (operation.op !== 'store') ids.add(operation.id)
    if (operation.op === 'update') {
      const { id, input } = operation
      for (const { namespace, customId } of movesByOperation[index] ?? [])
        for (const form of customId == null ? [customId] : storedForms(customId))
          if (form !== null) moves.push([id, namespace ?? null, form ?? null])
      for (const grant of input.permissions ?? []) grantees.push([null, id, grant.user_id])
    }
    if (operation.op !== 'store') continue
    const { input } = operation
    const { projectId, namespace, subject } = destinationOf(ctx.principal, input)
    if (projectId === null) continue
    projects.add(projectId)
    for (const { id } of input.supersedes ?? []) superseded.add(id)
    if (input.custom_id != null)
      for (const form of storedForms(input.custom_id)) customIds.push([projectId, namespace, form])
    const turnKey = turnKeys.get(operation)
    if (operation.turn && turnKey !== undefined) {
      const conversationId = input.context?.conversation_id ?? undefined
      turns.push([projectId, namespace, conversationId, turnKey, keyEnd(turnKey), operation.turn.part])
    }
    if (input.deduplicate) texts.push([projectId, namespace, hashes.get(input.content.text), subject])
    for (const grant of input.permissions ?? []) grantees.push([projectId, null, grant.user_id])
  }
  return {
    ids: [...ids],
    superseded: [...superseded],
    projects: [...projects],
    customIds,
    turns,
    texts,
    moves,
    grantees,
  }
}
