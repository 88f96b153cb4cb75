import { expect, test } from 'vitest'
import { RUNNING_MS } from '../../../src/core/idempotency/claim.ts'
import { createProject, createProjectEndpoint } from '../../../src/identity/projects/create.ts'
import { travel } from '../../support/clock.ts'
import { interrupted } from '../../support/interrupted.ts'
import { keyed } from '../../support/keyed.ts'
import { db, newTenant, type Tenant } from '../../support/world.ts'

const send = (tenant: Tenant, database = db, after = async (): Promise<void> => {}) =>
  keyed(
    tenant,
    createProjectEndpoint,
    async (ctx) => {
      const input = { name: 'P', workspace_id: tenant.workspaceId, description: '', icon: '' }
      const project = await createProject(ctx, input)
      await after()
      return project
    },
    { db: database },
  )

const projectsOf = ({ tenantId }: Tenant) =>
  db.all<{ id: string }>(`select id from projects where tenant_id = :tenant and name = 'P'`, { tenant: tenantId })

test('the key settles in the commit of the effect: that commit and the claim are all trips to the database', async () => {
  const tenant = await newTenant()
  const steps: number[] = []
  const counted = interrupted(async (step) => void steps.push(step))
  const first = await send(tenant, counted)
  expect(steps).toEqual([0, 1])
  expect(await send(tenant)).toEqual(first)
})

test('a request that fails after its commit keeps its key: sent again, it makes nothing more', async () => {
  const tenant = await newTenant()
  const failing = async () => {
    throw new Error('late')
  }
  expect(await send(tenant, db, failing)).toBe('Error: late')
  const [made] = await projectsOf(tenant)
  expect(await send(tenant)).toMatchObject({ id: made?.id })
  expect(await projectsOf(tenant)).toHaveLength(1)
})

test('a request that stalls for a minute, until another takes its key over, makes nothing and is 409', async () => {
  const tenant = await newTenant()
  travel(0)
  const stalling = interrupted(async (step) => {
    if (step !== 1) return
    travel(RUNNING_MS)
    await send(tenant)
  })
  expect(await send(tenant, stalling)).toBe('idempotency_in_progress')
  expect(await projectsOf(tenant)).toHaveLength(1)
})

test('a commit that the database carries out only after its request gave up, and freed the key, makes nothing', async () => {
  const tenant = await newTenant()
  const late = interrupted(async (step) => {
    if (step === 1)
      await db.write('delete from idempotency_keys where tenant_id = :tenant', { tenant: tenant.tenantId })
  })
  expect(await send(tenant, late)).toBe('idempotency_in_progress')
  expect(await projectsOf(tenant)).toEqual([])
})

test('a key that was used without success is free at once', async () => {
  const tenant = await newTenant()
  expect(await send({ ...tenant, workspaceId: 'wsp_none' })).toBe('not_found')
  expect(await send(tenant)).toMatchObject({ name: 'P' })
})
