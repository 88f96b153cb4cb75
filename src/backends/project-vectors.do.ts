import { DurableObject } from 'cloudflare:workers'

/** The exact vector tier of one project (architecture §4). */
export class ProjectVectors extends DurableObject<Env> {}
