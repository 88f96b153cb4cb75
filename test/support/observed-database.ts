/**
 * A D1 database where `around` runs each round trip of it. Its statements are D1's own, so that they fit into a batch;
 * `around` gets those that run by themselves, and the batches.
 */
export function observedDatabase(
  database: D1Database,
  around: (trip: () => Promise<unknown>) => Promise<unknown>,
): D1Database {
  const statement = (real: D1PreparedStatement): D1PreparedStatement =>
    Object.assign(real, {
      all: () => around(() => Object.getPrototypeOf(real).all.call(real)),
      bind: (...values: unknown[]) => statement(Object.getPrototypeOf(real).bind.apply(real, values)),
    })
  return new Proxy(database, {
    get: (_, name) => {
      if (name === 'prepare') return (sql: string) => statement(database.prepare(sql))
      if (name === 'batch') return (all: D1PreparedStatement[]) => around(() => database.batch(all))
      const member: unknown = Reflect.get(database, name)
      return typeof member === 'function' ? member.bind(database) : member
    },
  })
}
