import type { FC } from 'hono/jsx'
import { Id } from './id.tsx'

/** Who did something. The person who looks at the page is “you”. */
export const Who: FC<{ id: string; me: string }> = ({ id, me }) => (id === me ? <>you</> : <Id of={id} />)
