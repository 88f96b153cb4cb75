import type { Database } from '../../../src/core/database/database.ts'
import { sql, type Params, type Sql } from '../../../src/core/database/sql.ts'

/** Calls for `every-statement.test.ts`, which runs none of them. */

const BY_ID = 'select name from projects where id = :id'
export const ADD_COLOUR = `update projects set colour = 'red' where id = :id`
const columns = (name: string): string => `select ${name} from projects`

export const faultless = (db: Database, id: string, where: Sql, params: Params): unknown[] => [
  db.first(BY_ID, { id }),
  db.first(BY_ID, { ...params }),
  db.all(`${BY_ID} and ${where.sql}`, { id, ...where.params }),
  db.write(`delete from projects where id = :id and name in (select value from json_each(:names))`, { id, names: id }),
  db.all(columns('id, name')),
  sql('id = :id and tenant_id = :tenant', { id }),
]

export const faulty = (db: Database, id: string, where: Sql, params: Params): unknown[] => [
  db.all('select colour from projects'),
  db.all('selec name from projects'),
  db.all(`select name from nowhere where ${where.sql}`, params),
  db.first(columns('shape')),
  db.first(BY_ID),
  db.first(BY_ID, { id, name: id }),
  db.first(BY_ID, { ...params, name: id }),
  db.first(`${BY_ID} and ${where.sql}`, { name: id }),
  sql('id = :id', { id, name: id }),
]
