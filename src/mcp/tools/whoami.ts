import { z } from 'zod'
import { getMeEndpoint, type User } from '../../identity/index.ts'
import { stored } from './stored.ts'
import { tool } from './tool.ts'

export const whoami = tool({
  name: 'whoami',
  title: 'Who is the user?',
  description: 'Returns the user you act for: name, e-mail address, language.',
  effect: 'reads',
  operation: getMeEndpoint,
  target: 'none',
  hidden: 'service',
  input: {},
  output: z.looseObject({ id: z.string(), email: z.string(), name: stored.name, language: z.string() }),
  ask: () => ({}),
  result: ({ body }: { body: User }) => ({
    id: body.id,
    email: body.email,
    name: body.name,
    language: body.settings.language,
  }),
})
