import type { FC } from 'hono/jsx'
import type { Usage } from '../../memory/index.ts'
import { compact } from '../charts/scale.ts'
import { sum } from './outcomes.ts'

/** What is stored, and how much of it may be. */
export const Stock: FC<{ usage: Usage }> = ({ usage }) => (
  <dl class="grid-3">
    <Figure label="Memories" used={usage.items.used} quota={usage.items.quota} />
    <Figure label="Projects" used={usage.projects.used} quota={usage.projects.quota} />
    <Figure label="Waiting to be embedded" used={usage.embeddings_pending} quota={null} />
    <Figure label="Requests in this time" used={sum(usage.data, 'requests')} quota={null} />
  </dl>
)

const Figure: FC<{ label: string; used: number; quota: number | null }> = ({ label, used, quota }) => (
  <div class="card stat">
    <dt>{label}</dt>
    <dd>
      <span class="stat-value">{compact(used)}</span>
      {quota !== null && <span class="muted"> of {compact(quota)}</span>}
      {quota !== null && (
        <svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          <rect class="meter-track" width="100" height="6" />
          <rect class="meter-fill" width={Math.min(100, Math.round((used / quota) * 100))} height="6" />
        </svg>
      )}
    </dd>
  </div>
)
