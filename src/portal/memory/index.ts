import { itemRoutes } from './item.tsx'
import { playgroundRoute } from './playground.tsx'
import { storeRoute } from './store.ts'
import { importExportRoutes } from './import-export.tsx'

/** Import and export before an item's page, which would take them for ids. */
export const memoryRoutes = [playgroundRoute, storeRoute, ...importExportRoutes, ...itemRoutes]
