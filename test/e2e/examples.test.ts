import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newKeyRing } from '../../tools/secrets.ts'
import { CRON_PATH } from '../../tools/wrangler.ts'
import { until } from '../support/until.ts'
import { approve } from './support/agent.ts'
import { bodyFaults } from './support/example-answer.ts'
import { Cast } from './support/example-cast.ts'
import { requestOf, sendExample, upgradeExample } from './support/example-request.ts'
import { documentOf, type Document, type Operation } from './support/openapi.ts'
import { startServer, type Server } from './support/server.ts'

/** The examples of the reference as one story: each is sent, by whoever it is about, with what answers before it showed. */

const OPERATOR_KEYS = newKeyRing()
const PASSWORD = 'correct horse battery'

let server: Server
let document: Document
const cast = new Cast()
const sessions = { ada: '', grace: '', alan: '' }
type Person = keyof typeof sessions

beforeAll(async () => {
  server = await startServer({
    vars: { LIMITS_FACTOR: '100000', OPERATOR_KEYS },
    outbound: (url) => ({ status: url.hostname === 'example.com' ? 200 : 404, body: 'ok' }),
  })
  document = await documentOf(server)
})
afterAll(() => server.stop())

/** What happens between two examples. */
type Scene = () => Promise<void>
interface Step {
  by: Person
  operation: string
  status?: number
  headers?: () => Record<string, string>
}

const as = (by: Person, ...operations: string[]): Step[] => operations.map((operation) => ({ by, operation }))
const ada = (...operations: string[]): Step[] => as('ada', ...operations)

async function form(path: string, fields: Record<string, string>): Promise<Record<string, string>> {
  const answer = await fetch(server.url + path, { method: 'POST', body: new URLSearchParams(fields) })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, string>
}

const logIn = async (person: Person): Promise<void> => {
  const { session_token = '' } = await form('/auth/login', { username: `${person}@example.com`, password: PASSWORD })
  sessions[person] = session_token
}

/** Others than Ada sign up outside the examples. */
async function signUp(person: Person, more: Record<string, string> = {}): Promise<void> {
  await form('/auth/register-user', { email: `${person}@example.com`, password: PASSWORD, name: person, ...more })
  await logIn(person)
}

/** Ada's session is the one that she has logged in with last. */
const adaIsIn: Scene = async () => {
  sessions.ada = cast.player('rcs_…')
}

/** Grace gets her account by the invitation that Ada has just made. */
const graceJoins: Scene = () => signUp('grace', { invitation: cast.player('rci_…') })

/** The next invitation plays the part of the one that has been taken up. */
const newInvitation = (): (Step | Scene)[] => [
  async () => cast.recast('inv_01K8E3Z4T7Q9V6N2M5B8C1D0FG'),
  ...ada('inviteMember'),
]

/** Ada allows the application what it asks for, in the browser. */
const adaConsents: Scene = async () => {
  const form = requestOf(operationOf('requestToken')).body as Record<
    'client_id' | 'redirect_uri' | 'code_verifier',
    string
  >
  const url = new URL('/auth/authorize', server.url)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: cast.play(form.client_id),
    redirect_uri: form.redirect_uri,
    scope: 'read:memory',
    state: 's',
    code_challenge: createHash('sha256').update(form.code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const back = await approve(server.url, sessions.ada, url)
  cast.learn('rcc_…', back.searchParams.get('code'))
}

/** An item that waits for its embedding is seen by the sweep. */
const anItemWaits: Scene = async () => {
  const database = await server.miniflare.getD1Database(server.home.DB)
  await database
    .prepare(`update memory_items set embedding_status = 'pending', next_attempt_at = ? where id = ?`)
    .bind(Date.now() + 3_600_000, cast.player('mem_01K8E3Z4T7Q9V6N2M5B8C1D0FK'))
    .run()
  // The last minute in which the sweep that counts was due.
  await fetch(`${server.url}${CRON_PATH}?time=${Math.floor(Date.now() / 300_000) * 300_000}`)
}

const STORY: readonly (Step | Scene)[] = [
  ...ada('getHealth', 'getReadiness', 'getLandingPage', 'getLlmsTxt', 'getReferencePage', 'getEventsPage'),
  ...ada('getErrorsPage', 'getOpenApiDocument', 'getAsyncApiDocument', 'getAuthorizationServerMetadata'),
  ...ada('getAuthorizationServerMetadataOfAuthUrl', 'getProtectedResourceMetadata', 'getAgentResourceMetadata'),
  ...ada('registerUser', 'logIn'),
  adaIsIn,
  ...ada('getMe', 'updateMe', 'getTenant', 'listSessions', 'getSession'),
  ...ada('createWorkspace', 'getWorkspace', 'updateWorkspace', 'listWorkspaces'),
  ...ada(
    'createProject',
    'getProject',
    'updateProject',
    'applyRetention',
    'listProjects',
    'getProjectAgentResourceMetadata',
  ),
  ...ada('createApiKey', 'getApiKey', 'listApiKeys', 'listNames', 'rotateApiKey'),
  ...ada('updateLimits', 'getLimits', 'listLimits', 'listOperatorChanges'),
  ...ada('createSubscription', 'getSubscription', 'listSubscriptions', 'getSubscriptionSecret'),
  ...ada('rotateSubscriptionSecret', 'testSubscription', 'getDelivery', 'listDeliveryAttempts', 'getDeliveryRequest'),
  ...ada('listDeliveries', 'retryDelivery', 'recoverDeliveries', 'getDeliverySeries', 'publishEvent'),
  ...ada('listenToEvents', 'listenToEventStream'),
  { by: 'ada', operation: 'storeMemory', status: 201 },
  { by: 'ada', operation: 'storeMemory', status: 200 },
  ...ada('retrieveMemory', 'getMemory'),
  ...(['retrieveMemory', 'getMemory'] as const).map((operation): Step => ({
    by: 'ada',
    operation,
    status: 304,
    headers: () => ({ 'If-None-Match': tag }),
  })),
  ...ada(
    'searchMemories',
    'recallMemories',
    'updateMemory',
    'listMemoryVersions',
    'embedMemory',
    'importMemories',
    'storeMessages',
    'listConversations',
    'getConversation',
    'listNamespaces',
  ),
  ...ada('listSubjects', 'retireMemory', 'restoreMemory'),
  ...ada('listMemories', 'exportMemories', 'batchMemories', 'deleteMemories'),
  { by: 'ada', operation: 'eraseMemories', status: 202 },
  ...ada('getErasure', 'listErasures'),
  ...ada('createApp', 'getApp', 'updateApp', 'listApps'),
  adaConsents,
  ...ada('requestToken', 'introspectToken', 'listGrants', 'getGrant', 'revokeToken'),
  adaConsents,
  ...ada('requestToken', 'registerApp', 'exportMe'),
  anItemWaits,
  ...ada('listAuditRows', 'getUsage', 'getUsageSeries'),
  async () => cast.recast('grt_01K8E3Z4T7Q9V6N2M5B8C1D0FG'),
  ...ada('listGrants', 'revokeGrant', 'rotateAppSecret'),
  ...ada('inviteMember', 'listInvitations', 'renewInvitation'),
  graceJoins,
  ...ada('listMembers', 'changeMemberRole', 'listPeople', 'makeResetLinkForMember', 'makeResetLinkForPerson'),
  ...ada('resetPassword'),
  () => logIn('grace'),
  ...ada('removeMember'),
  ...newInvitation(),
  ...as('grace', 'listReceivedInvitations', 'refuseInvitation'),
  ...newInvitation(),
  ...as('grace', 'acceptInvitation'),
  ...ada('removeMember'),
  ...newInvitation(),
  ...ada('withdrawInvitation'),
  ...ada(
    'updateSubscription',
    'deleteSubscription',
    'deleteMemory',
    'deleteConversation',
    'deleteProject',
    'deleteWorkspace',
  ),
  ...ada(
    'deleteApp',
    'revokeApiKey',
    'revokeSession',
    'revokeOtherSessions',
    'handOverTenant',
    'changePassword',
    'logOut',
  ),
  () => signUp('alan'),
  ...as('alan', 'deleteMe'),
]

const isStep = (one: Step | Scene): one is Step => typeof one !== 'function'
/** The `ETag` of the last answer that had one. */
let tag = ''

function operationOf(operationId: string): Operation {
  const operation = document.operations.find((one) => one.operationId === operationId)
  if (!operation) throw new Error(`${operationId} is not in the document`)
  return operation
}

function credentialOf({ security }: Operation, by: Person): Record<string, string> {
  if (security.some((one) => 'operator' in one)) return { Authorization: `Bearer ${OPERATOR_KEYS.split(':')[1]}` }
  return security.some((one) => 'session' in one) ? { 'X-Session-Token': sessions[by] } : {}
}

const send = (operation: Operation, { by, headers }: Step): Promise<Response> =>
  sendExample(server.url, operation, cast, { ...credentialOf(operation, by), ...headers?.() })

const isRead = ({ method, operationId }: Operation): boolean =>
  method === 'get' || ['searchMemories', 'recallMemories'].includes(operationId)

/** What is wrong with an answer to an example; empty for nothing. */
async function faultsOf(operation: Operation, answer: Response, expected: string): Promise<string[]> {
  const text = await answer.text()
  // Its embedding may have changed it since the answer before.
  tag = answer.headers.get('etag') ?? tag
  if (String(answer.status) !== expected) return [`${answer.status}: ${text}`]
  return bodyFaults(document, cast, operation.responses[expected]?.content ?? {}, text)
}

async function play(step: Step): Promise<string[]> {
  const operation = operationOf(step.operation)
  const [first] = Object.keys(operation.responses)
  const expected = String(step.status ?? first)
  if (expected === '101') {
    const status = await upgradeExample(server.url, operation, cast, credentialOf(operation, step.by))
    return status === 101 ? [] : [`${status} instead of an upgrade`]
  }
  // What is counted or delivered shows a moment later.
  let faults = await faultsOf(operation, await send(operation, step), expected)
  if (isRead(operation) && faults.length > 0) {
    await until(async () => {
      faults = await faultsOf(operation, await send(operation, step), expected)
      if (faults.length > 0) throw new Error('not yet')
    }).catch(() => undefined)
  }
  return faults
}

test('each example of the reference is sent and answered 2xx, in the shape that it shows (contract §7)', async () => {
  const faults: string[] = []
  for (const one of STORY) {
    if (!isStep(one)) await one()
    else
      faults.push(
        ...(await play(one).catch((error: Error) => [error.message])).map((fault) => `${one.operation}: ${fault}`),
      )
  }
  expect(faults.join('\n')).toBe('')
}, 300_000)

test('the story leaves no operation out', () => {
  const told = new Set(STORY.filter(isStep).map(({ operation }) => operation))
  expect(document.operations.map(({ operationId }) => operationId).filter((id) => !told.has(id))).toEqual([])
})
