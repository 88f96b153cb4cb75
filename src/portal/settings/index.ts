import { profileExportRoute } from './export.ts'
import { sessionRoutes } from './sessions.tsx'
import { settingsRoutes } from './settings.tsx'

export const accountSettingsRoutes = [...settingsRoutes, ...sessionRoutes, profileExportRoute]
