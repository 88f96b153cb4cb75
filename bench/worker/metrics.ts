import { Hono } from 'hono'
import { depsOf } from '../../src/deps.ts'
import { inSpan } from '../../src/core/spans.ts'
import worker from '../../src/index.ts'
import type { AppEnv } from '../../src/pipeline/app-env.ts'
import { requestFigures } from '../../src/request-figures.ts'
import { FIGURES_PATH, VARIANTS, type Variant } from '../support/figures-path.ts'

export { ClientDocument, Limiter, ProjectVectors, UserHub } from '../../src/index.ts'

const ROUTE = '/api/memory/retrieve'

/** A route that does nothing but the work of a retrieve for an operator. */
function appOf(variant: Variant): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(async (c, next) => {
    c.set(
      'system',
      depsOf(c.env)((work) => c.executionCtx.waitUntil(work)),
    )
    await next()
  })
  if (variant === 'figures') app.use(requestFigures(app))
  const answer = async (): Promise<Response> => new Response('{}')
  const cause = { requestId: 'req_bench', route: ROUTE }
  app.get(ROUTE, () => (variant === 'span' ? inSpan('hub', cause, {}, answer) : answer()))
  return app
}

const apps = Object.fromEntries(VARIANTS.map((variant) => [variant, appOf(variant)]))

/** The service as it is, and a path that costs as much as the figures of a given number of requests. */
export default {
  ...worker,
  async fetch(request: Request<unknown, IncomingRequestCfProperties>, env: Env, execution: ExecutionContext) {
    const url = new URL(request.url)
    if (url.pathname !== FIGURES_PATH) return worker.fetch(request, env, execution)
    const app = apps[url.searchParams.get('with') ?? '']
    if (!app) return new Response(null, { status: 422 })
    const asked = new Request(`https://bench${ROUTE}?id=mem_bench`)
    for (let left = Number(url.searchParams.get('requests')); left > 0; left -= 1)
      await app.fetch(asked, env, execution)
    return new Response()
  },
}
