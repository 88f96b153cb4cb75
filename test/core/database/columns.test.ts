import { expect, test } from 'vitest'
import { sessions } from '../../../src/auth/table.ts'
import { columnsOf, selectList } from '../../../src/core/database/columns.ts'

test('columns of a table are picked by name, and listed for SQL with or without an alias', () => {
  const columns = columnsOf(sessions, 'id', 'user_agent')
  expect(columns).toEqual({ id: sessions.id, user_agent: sessions.user_agent })
  expect(selectList(columns)).toBe('id, user_agent')
  expect(selectList(columns, 's')).toBe('s.id, s.user_agent')
})
