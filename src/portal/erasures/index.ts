import { erasureDetailRoute } from './detail.tsx'
import { erasureListRoutes } from './list.tsx'
import { subjectsRoute } from './subjects.tsx'

/** The list comes first: the path of a receipt would match `new` and `subjects` as ids. */
export const erasureRoutes = [...erasureListRoutes, subjectsRoute, erasureDetailRoute]
