import { countRerank } from '../audit/index.ts'
import type { RequestContext } from '../core/context.ts'
import { ModelDown } from '../core/embedding.ts'
import type { QueryReranker, Reranker, RerankingModel } from '../core/models.ts'
import type { Principal } from '../core/principal.ts'
import { RerankBusy, RerankLate } from '../core/reranking.ts'
import { within } from '../core/values/deadline.ts'
import { ModelTurns } from './model-turns.ts'
import { Pause } from './pause.ts'

/** The longest time that a search waits for the reranker (contract §3). */
const DEADLINE_MS = 1_500

/** What an isolate knows of its reranker. */
export class SharedReranker implements Reranker {
  readonly model: string
  readonly scorer: RerankingModel
  readonly pause = new Pause()
  readonly turns = new ModelTurns()

  constructor(scorer: RerankingModel) {
    this.model = scorer.model
    this.scorer = scorer
  }

  inTurnOf(caller: Principal, request: RequestContext): QueryReranker {
    return new CallersReranker(this, caller, request)
  }
}

class CallersReranker implements QueryReranker {
  readonly model: string
  readonly #shared: SharedReranker
  readonly #caller: Principal
  readonly #request: RequestContext

  constructor(shared: SharedReranker, caller: Principal, request: RequestContext) {
    this.model = shared.model
    this.#shared = shared
    this.#caller = caller
    this.#request = request
  }

  inTurnOf(caller: Principal, request: RequestContext): QueryReranker {
    return this.#shared.inTurnOf(caller, request)
  }

  rerank(query: string, texts: readonly string[]): Promise<number[]> {
    const busy = () => new RerankBusy('too many rerank calls of one user or tenant')
    return this.#shared.turns.run(this.#caller, this.#request, () => this.#ask(query, texts), busy)
  }

  async #ask(query: string, texts: readonly string[]): Promise<number[]> {
    const { pause } = this.#shared
    const request = this.#request
    const down = pause.down(request.now())
    if (down) throw down
    pause.extendWhileInDoubt(request.now())
    try {
      const scores = await this.#inTime((signal) => this.#shared.scorer.rerank(query, texts, signal))
      pause.end()
      countRerank(request, this.#caller, 'ok')
      return scores
    } catch (error) {
      if (error instanceof ModelDown) pause.begin(request.now(), error, error.retryAfterMs)
      else if (error instanceof RerankLate) pause.begin(request.now(), error)
      countRerank(request, this.#caller, 'failed')
      throw error
    }
  }

  #inTime<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const given = new AbortController()
    return within(DEADLINE_MS, call(given.signal), () => {
      const error = new RerankLate(`the reranker did not respond within ${DEADLINE_MS} ms`)
      given.abort(error)
      return error
    })
  }
}
