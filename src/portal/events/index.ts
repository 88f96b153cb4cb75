import { liveRoutes } from './live.tsx'

export const eventRoutes = [...liveRoutes]
