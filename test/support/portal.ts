import { csrfIn, ORIGIN, type Person } from './oauth.ts'
import { call, type Answer } from './world.ts'

export const locationOf = (answer: { headers: Headers }): string => answer.headers.get('location') ?? ''

let networks = 0

/**
 * A browser, as far as the portal sees one: what it was told to keep goes with the next request. Each has a network of
 * its own, since visitors are limited by theirs.
 */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #ip = `2001:db8:b0b0:${(networks += 1).toString(16)}::1`

  constructor(person?: Pick<Person, 'cookie'>) {
    if (person) this.#keep(person.cookie.Cookie)
  }

  open(path: string): Promise<Answer> {
    return this.#send('GET', path)
  }

  /** Sends the form of a page, with that page's token unless `csrf` says another. */
  async send(
    page: string,
    action: string,
    fields: Record<string, string | string[]> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    const sent = new URLSearchParams(pairs)
    if (!sent.has('csrf')) sent.set('csrf', csrfIn((await this.open(page)).text))
    return this.#send('POST', action, sent, { Origin: ORIGIN, ...headers })
  }

  /** The same with a file, in a field of that name. */
  async upload(page: string, action: string, fields: Record<string, string>, file: File): Promise<Answer> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('csrf', csrfIn((await this.open(page)).text))
    form.append('file', file)
    return this.#send('POST', action, form, { Origin: ORIGIN })
  }

  async #send(method: string, path: string, raw?: BodyInit, headers: Record<string, string> = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await call(method, path, {
      headers: { 'CF-Connecting-IP': this.#ip, ...(cookie === '' ? {} : { Cookie: cookie }), ...headers },
      ...(raw === undefined ? {} : { raw }),
    })
    for (const header of answer.headers.getSetCookie()) this.#keep(header)
    return answer
  }

  #keep(header: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
    if (value === '' || /Max-Age=0/.test(header)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
