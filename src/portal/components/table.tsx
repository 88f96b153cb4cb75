import type { Child, FC } from 'hono/jsx'

interface TableProps {
  columns: readonly string[]
  /** Columns of numbers, aligned to their end. */
  numeric?: readonly string[]
  /** Adds a last column for buttons. */
  actions?: boolean
  /** Its ids are cut, since a row has several. */
  dense?: boolean
  children?: Child
}

/** A table with its header row. On a narrow screen a cell shows its `data-label` instead. */
export const Table: FC<TableProps> = ({ columns, numeric, actions, dense, children }) => (
  <table class={dense ? 'table table-dense' : 'table'}>
    <thead>
      <tr>
        {columns.map((column) => (
          <th scope="col" class={numeric?.includes(column) ? 'num' : undefined}>
            {column}
          </th>
        ))}
        {actions && (
          <th scope="col">
            <span class="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)
