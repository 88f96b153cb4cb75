import type { FC } from 'hono/jsx'
import { parseJson } from '../../core/http/body.ts'
import { invalid, isAppError, type AppError } from '../../core/errors.ts'
import type { Project } from '../../identity/index.ts'
import type { RetentionApplied } from '../../memory/index.ts'
import { Ask } from '../components/ask.tsx'
import { Card } from '../components/elements.tsx'
import { Field, PostForm } from '../components/fields.tsx'
import { ActionButton } from '../components/forms.tsx'
import type { Flash } from '../flash.ts'
import { errorAt, type Form, type Result } from '../form.ts'
import type { PageContext } from '../page-context.ts'

const EXAMPLE = '[{"namespace_prefix": "chats", "default_ttl": 2592000}]'

/** The rules in the form, which the API checks. */
export function rulesIn(form: Form): Result<unknown> {
  try {
    return { ok: true, value: parseJson(form.text('retention') || '[]') }
  } catch (error) {
    if (!isAppError(error)) throw error
    return {
      ok: false,
      error: invalid('retention', 'invalid_json', `The rules must be a JSON list, such as ${EXAMPLE}.`),
    }
  }
}

/** Calls of the API that one click makes: each looks at 1,000 items. */
const MAX_CALLS = 50

/** Applies the rules to what is stored, or counts what they would do. */
export async function applyRules(
  { api, params }: Pick<PageContext, 'api' | 'params'>,
  dryRun: boolean,
): Promise<Flash> {
  const sum = { items: 0, expired: 0 }
  let cursor: string | null = null
  let calls = 0
  do {
    const body = { dry_run: dryRun, ...(cursor === null ? {} : { cursor }) }
    const part: RetentionApplied = await api.postStep(`/v1/projects/${params['id']}/retention/apply`, body)
    sum.items += part.items
    sum.expired += part.expired
    cursor = part.next_cursor
    calls += 1
  } while (cursor !== null && calls < MAX_CALLS)
  const text = dryRun
    ? `${sum.items} memories would expire earlier, ${sum.expired} of them at once.`
    : `${sum.items} memories expire earlier, ${sum.expired} of them now.`
  return cursor === null
    ? { tone: 'ok', text }
    : { tone: 'warn', text: `${text} There are more memories than one click reaches: use the API or the client.` }
}

interface RetentionCardProps {
  ctx: PageContext
  project: Project
  error: AppError | null
}

/** How long memories are kept. A rule acts on what is stored from then on, so what is there has a button of its own. */
export const RetentionCard: FC<RetentionCardProps> = ({ ctx, project: { id, retention = [] }, error }) => (
  <Card
    title="Retention"
    lead="How long memories are kept: the first rule that fits a new memory decides."
    id="retention"
  >
    <div class="card-body">
      <PostForm ctx={ctx} action={`/portal/projects/${id}/retention`} error={error}>
        <Field
          name="retention"
          label="Rules as JSON"
          rows={5}
          hint="Each has namespace_prefix, tags and scope to fit, and default_ttl and max_ttl in seconds. The tag pinned exempts from default_ttl."
          placeholder={EXAMPLE}
          value={
            ctx.form.has('retention')
              ? ctx.form.text('retention')
              : retention.length === 0
                ? ''
                : JSON.stringify(retention, null, 2)
          }
          error={errorAt(error, 'retention')}
        />
        <div>
          <button class="button button-primary" type="submit">
            Save rules
          </button>
        </div>
      </PostForm>
      {retention.length > 0 && (
        <div class="row">
          <ActionButton ctx={ctx} action={`/portal/projects/${id}/retention/count`}>
            Count what they would end
          </ActionButton>
          <Ask
            ctx={ctx}
            action={`/portal/projects/${id}/retention/apply`}
            verb="Apply to stored memories"
            question="Apply the rules to stored memories?"
          >
            <p>
              Stored memories then expire as if the rules had stood when they were stored. Those that are too old are
              gone at once. This cannot be undone.
            </p>
          </Ask>
        </div>
      )}
    </div>
  </Card>
)
