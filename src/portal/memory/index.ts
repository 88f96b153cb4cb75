import { itemRoutes } from './item.tsx'
import { playgroundRoute } from './playground.tsx'
import { storeRoute } from './store.ts'
import { importExportRoutes } from './import-export.tsx'

/** `/import` and `/export` come first: the path of an item's page would match them as ids. */
export const memoryRoutes = [playgroundRoute, storeRoute, ...importExportRoutes, ...itemRoutes]

export { authorsOf, ItemLine } from './item-line.tsx'
export { SearchInput } from './search-input.tsx'
