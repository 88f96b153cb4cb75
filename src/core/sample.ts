import type { IdPrefix } from './values/ids.ts'

/**
 * The text and the question of every example: of `npm start`, of the reference and of the portal. They share no word, and
 * the embedded model finds the text by the question (test/core/sample.test.ts).
 */
export const SAMPLE_TEXT = 'Ada is allergic to peanuts.'
export const SAMPLE_QUESTION = 'Does anyone have a nut allergy?'
/** A second text, which the question does not find first. */
export const OTHER_SAMPLE_TEXT = 'Ada prefers tea without sugar.'

/** The origin and the instant of the examples. */
export const SAMPLE_ORIGIN = 'https://recollect.example'
export const SAMPLE_TIME = '2026-11-21T09:30:00.000Z'

const sampleId = (prefix: IdPrefix, last: 'G' | 'H' | 'J' | 'K' | 'M' | 'N' = 'G'): string =>
  `${prefix}_01K8E3Z4T7Q9V6N2M5B8C1D0F${last}`

/**
 * The resources of the examples, by their ids. The examples tell one story: each one uses what an earlier one answered, so
 * that a test can send them all (test/e2e/reference-examples.test.ts).
 */
export const SAMPLE_IDS = {
  ada: sampleId('usr'),
  grace: sampleId('usr', 'H'),
  tenant: sampleId('ten'),
  workspace: sampleId('wsp'),
  personalWorkspace: sampleId('wsp', 'H'),
  project: sampleId('prj'),
  defaultProject: sampleId('prj', 'H'),
  memory: sampleId('mem'),
  otherMemory: sampleId('mem', 'H'),
  graceMemory: sampleId('mem', 'J'),
  batchMemory: sampleId('mem', 'K'),
  turn: sampleId('mem', 'M'),
  nextTurn: sampleId('mem', 'N'),
  key: sampleId('key'),
  rotatedKey: sampleId('key', 'H'),
  app: sampleId('app'),
  registeredApp: sampleId('app', 'H'),
  grant: sampleId('grt'),
  session: sampleId('ses'),
  otherSession: sampleId('ses', 'H'),
  invitation: sampleId('inv'),
  subscription: sampleId('sub'),
  event: sampleId('evt'),
  testEvent: sampleId('evt', 'H'),
  delivery: sampleId('dlv'),
  attempt: sampleId('att'),
  erasure: sampleId('ers'),
  auditRow: sampleId('aud'),
  request: sampleId('req'),
  operatorChange: sampleId('aud', 'H'),
  operatorRequest: sampleId('req', 'H'),
} as const

/** A complete list of an example: it has no further page. */
export const samplePage = <T>(...data: T[]) => ({ data, has_more: false, next_cursor: null })
