/** @module-tag shards */
import { describe, expect, test } from 'vitest'
import type { KeyPermission } from '../../src/core/context.ts'
import { ACCESS_JOINS, memberParams, readableBy, targetProject, writable } from '../../src/memory/access.ts'
import { ctxOf, stored } from '../support/search.ts'
import { db, newTenant } from '../support/world.ts'

const user = await newTenant()
const owner = ctxOf(user)
const ids: Record<string, string> = {}
for (const namespace of ['a', 'b', 'c'])
  ids[namespace] = (await stored(owner, namespace, { context: { namespace } })).id

/** What a key with these permissions may do with the items, by namespace. */
async function reached(permissions: KeyPermission[], right: 'read' | 'write'): Promise<string[]> {
  const ctx = ctxOf(user, { permissions })
  const may = right === 'read' ? readableBy(ctx.principal) : writable()
  const rows = await db.all<{ namespace: string }>(
    `select i.namespace from memory_items i ${ACCESS_JOINS}
     where (:key_permissions is null or 1) and ${may} order by 1`,
    memberParams(ctx),
  )
  return rows.map(({ namespace }) => namespace)
}

const elsewhere = (access: 'read' | 'write', namespaces?: string[]): KeyPermission => ({
  project_id: 'prj_other',
  access,
  ...(namespaces ? { namespaces } : {}),
})
const here = (access: 'read' | 'write', namespaces?: string[]): KeyPermission => ({
  ...elsewhere(access, namespaces),
  project_id: user.projectId,
})

test.each<[KeyPermission[], string, string]>([
  [[here('read')], 'abc', ''],
  [[here('write')], 'abc', 'abc'],
  [[here('write', ['b', 'd'])], 'b', 'b'],
  [[here('read', ['a']), here('write', ['c'])], 'ac', 'c'],
  [[elsewhere('write'), here('read', ['a'])], 'a', ''],
  [[elsewhere('write', ['a', 'b']), here('write', ['b'])], 'b', 'b'],
  [[elsewhere('write')], '', ''],
])('security 27: a key with the permissions %j reads %j and writes %j', async (permissions, reads, writes) => {
  expect((await reached(permissions, 'read')).join('')).toBe(reads)
  expect((await reached(permissions, 'write')).join('')).toBe(writes)
})

test('security 54: a statement reads the permissions of a key once, and not again for each item', async () => {
  const ctx = ctxOf(user, { permissions: [here('read')] })
  const plan = async (may: string) => {
    const rows = await db.all<{ detail: string }>(
      `explain query plan select 1 from memory_items i ${ACCESS_JOINS} 
       where (:key_permissions is null or 1) and ${may}`,
      memberParams(ctx),
    )
    return rows.filter(({ detail }) => detail.startsWith('CORRELATED')).length
  }
  expect(await plan(readableBy(ctx.principal))).toBe(await plan(readableBy(owner.principal)))
})

describe('the project of a call', () => {
  test('a named project that is absent is 404, and a default one that is gone 422', () => {
    expect(targetProject(owner, 'prj_x').missing()).toMatchObject({ status: 404, code: 'not_found' })
    expect(targetProject(owner, undefined)).toMatchObject({ projectId: user.projectId })
    expect(targetProject(owner, undefined).missing()).toMatchObject({ status: 422, code: 'validation_failed' })
  })
})
