import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'

const WORKER = `
  import { DurableObject } from 'cloudflare:workers'
  export class Hub extends DurableObject {
    async admit() { return 'admitted' }
  }
  let row
  export default {
    async fetch(request, env) {
      if (new URL(request.url).pathname === '/hello') return new Response('hello')
      if (new URL(request.url).pathname === '/call-and-read') await env.HUB.getByName('one').admit()
      row ??= env.DB.prepare('select * from things where id = ?')
      const { results } = await row.bind('a').all()
      return Response.json(results[0])
    },
  }`

/**
 * The floor of the platform: a Worker that only says hello, one prepared D1 read of a row by its key, and such a read
 * after a call to a Durable Object. An authenticated read can do no less than the last.
 */
export async function startFloor(): Promise<{ url: string; stop(): Promise<void> }> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: WORKER,
      compatibilityDate: '2026-11-17',
      d1Databases: { DB: 'floor' },
      durableObjects: { HUB: { className: 'Hub', useSQLite: true } },
      host: '127.0.0.1',
      port: 0,
      log: new Log(LogLevel.NONE),
    }),
  )
  const database = await miniflare.getD1Database('DB')
  await database.batch([
    database.prepare('create table things (id text primary key, text text)'),
    database.prepare("insert into things values ('a', 'one row of about the size of a memory item')"),
  ])
  return { url: (await miniflare.ready).origin, stop: () => miniflare.dispose() }
}
