export { createPortal } from './portal.ts'
export { routes as portalRoutes } from './routes.ts'
