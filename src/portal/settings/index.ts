import { profileExportRoute } from './export.ts'
import { peopleRoutes } from './people.tsx'
import { sessionRoutes } from './sessions.tsx'
import { settingsRoutes } from './settings.tsx'

export const accountSettingsRoutes = [...settingsRoutes, ...sessionRoutes, ...peopleRoutes, profileExportRoute]
