export interface Answer<T> {
  data: T
  /** Its body has been read. */
  response: Response
  /** Also in the service's log. */
  requestId: string | null
}

/** The promise of an operation's result; `withResponse()` also has the response. */
export class Call<T> extends Promise<T> {
  readonly #answer: Promise<Answer<T>>

  constructor(answer: Promise<Answer<T>>) {
    super((resolve) => resolve(undefined as T))
    this.#answer = answer
  }

  // What `then` makes is a plain promise.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  // oxlint-disable-next-line unicorn/no-thenable
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected)
  }

  withResponse(): Promise<Answer<T>> {
    return this.#answer
  }
}

export interface Page {
  next_cursor: string | null
}

/** The items of a page: its one list. */
export type ItemOf<P> = { [K in keyof P]: P[K] extends readonly (infer Item)[] ? Item : never }[keyof P]

/** The promise of a list's first page. `for await` goes over the items of all pages. */
export class PageCall<P extends Page> extends Call<P> implements AsyncIterable<ItemOf<P>> {
  readonly #more: (cursor: string) => Promise<Answer<P>>

  constructor(first: Promise<Answer<P>>, more: (cursor: string) => Promise<Answer<P>>) {
    super(first)
    this.#more = more
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<P>, void> {
    for await (const page of this.pages()) yield* Object.values(page).find(Array.isArray) as ItemOf<P>[]
  }

  async *pages(): AsyncGenerator<P, void> {
    let { data } = await this.withResponse()
    for (;;) {
      yield data
      if (data.next_cursor === null) return
      data = (await this.#more(data.next_cursor)).data
    }
  }
}
