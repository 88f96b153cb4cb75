import type { FC } from 'hono/jsx'
import { MAX_ATTEMPTS, type Attempt, type Delivery } from '../../events/index.ts'
import { Badge, type Tone } from '../components/elements.tsx'

const STATUS: Record<Delivery['status'], { label: string; tone: Tone }> = {
  waiting: { label: 'Held', tone: 'warn' },
  pending: { label: 'Due', tone: 'accent' },
  sending: { label: 'Sending', tone: 'accent' },
  delivered: { label: 'Delivered', tone: 'ok' },
  failed: { label: 'Failed', tone: 'danger' },
  expired: { label: 'Expired', tone: 'danger' },
}

type Shown = Pick<Delivery, 'status' | 'attempts'>

/** A delivery that failed and is tried again shows how many of its attempts are made. */
const shownStatus = ({ status, attempts }: Shown): { label: string; tone: Tone } =>
  status === 'pending' && attempts > 0
    ? { label: `Retrying, ${attempts} of ${MAX_ATTEMPTS}`, tone: 'warn' }
    : STATUS[status]

export const statusInWords = (delivery: Shown): string => shownStatus(delivery).label

export const DeliveryBadge: FC<{ delivery: Shown }> = ({ delivery }) => {
  const { label, tone } = shownStatus(delivery)
  return (
    <Badge tone={tone} busy={delivery.status === 'sending'}>
      {label}
    </Badge>
  )
}

/** A success came as status, and the rest of the answer did not: it counts as a failure. */
export const isBrokenOff = ({ status_code, error }: Pick<Attempt, 'status_code' | 'error'>): boolean =>
  error !== null && status_code !== null && status_code >= 200 && status_code < 300

/** `connection_failed` → `Connection failed`. */
export function inWords(error: string): string {
  const words = error.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** An answer in a few words. */
export function answerInWords(attempt: Pick<Attempt, 'status_code' | 'error'>): string {
  if (attempt.status_code === null) return inWords(attempt.error ?? 'none_yet')
  return isBrokenOff(attempt) ? `${attempt.status_code}, then interrupted` : String(attempt.status_code)
}

/** The last answer to a delivery, in a few words. */
export const lastAnswerOf = ({ last_status_code: status_code, last_error: error }: Delivery): string =>
  answerInWords({ status_code, error })

/** Whether the first attempt of a delivery is due or under way: its result is seconds away. */
export const isUnderWay = ({ status, attempts }: Delivery): boolean =>
  status === 'sending' || (status === 'pending' && attempts === 0)
