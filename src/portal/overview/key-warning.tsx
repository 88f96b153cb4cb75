import type { FC } from 'hono/jsx'
import type { Key } from '../../identity/index.ts'
import { Notice } from '../components/elements.tsx'
import { warningsOf } from '../keys/warnings.ts'

/** Says how many keys need attention; nothing where none does. */
export const KeyWarning: FC<{ keys: readonly Key[]; now: number }> = ({ keys, now }) => {
  const warned = keys.filter((key) => warningsOf(key, now).length > 0).length
  if (warned === 0) return null
  return (
    <Notice tone="warn">
      {warned === 1 ? 'One key needs' : `${warned} keys need`} your attention: see <a href="/portal/keys">API Keys</a>.
    </Notice>
  )
}
