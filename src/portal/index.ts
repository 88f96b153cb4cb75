export { createPortal, type PortalHost } from './portal.ts'
export { routes as portalRoutes } from './routes.ts'
