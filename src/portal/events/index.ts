export { liveRoutes } from './live.tsx'
