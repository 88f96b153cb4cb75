/**
 * A D1 database where `around` runs each round trip of it. Its statements are D1's own, so that they fit into a batch;
 * `around` gets those that run by themselves, and the batches, with the SQL of their statements.
 */
export function observedDatabase(
  database: D1Database,
  around: (trip: () => Promise<unknown>, sql: readonly string[]) => Promise<unknown>,
): D1Database {
  const sqlOf = new WeakMap<D1PreparedStatement, string>()
  const statement = (real: D1PreparedStatement, sql: string): D1PreparedStatement => {
    sqlOf.set(real, sql)
    return Object.assign(real, {
      all: () => around(() => Object.getPrototypeOf(real).all.call(real), [sql]),
      bind: (...values: unknown[]) => statement(Object.getPrototypeOf(real).bind.apply(real, values), sql),
    })
  }
  return new Proxy(database, {
    get: (_, name) => {
      if (name === 'prepare') return (sql: string) => statement(database.prepare(sql), sql)
      if (name === 'batch') {
        return (all: D1PreparedStatement[]) =>
          around(
            () => database.batch(all),
            all.map((one) => sqlOf.get(one) ?? ''),
          )
      }
      const member: unknown = Reflect.get(database, name)
      return typeof member === 'function' ? member.bind(database) : member
    },
  })
}
