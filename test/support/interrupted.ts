import { bindingIn, home } from './world.ts'
import { Database } from '../../src/core/database/database.ts'

/** The database, where somebody else acts right before each batch of statements; `act` gets its number, from 0. */
export function interrupted(act: (batch: number) => Promise<void>, shard = home): Database {
  let batches = 0
  return new (class extends Database {
    override async batch<Rows extends unknown[]>(
      statements: D1PreparedStatement[],
    ): Promise<{ [K in keyof Rows]: Rows[K][] }> {
      await act(batches++)
      return super.batch<Rows>(statements)
    }
  })(bindingIn(shard), shard)
}
