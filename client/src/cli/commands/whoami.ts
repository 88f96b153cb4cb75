import { Command } from 'commander'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { visibleLine } from '../output/visible.ts'
import type { Context } from './context.ts'
import { examples } from './options.ts'

const WAYS = {
  environment: 'the API key of RECOLLECT_API_KEY',
  key: 'an API key saved by login',
  login: 'a browser login',
} as const

export const whoamiCommand = (ctx: Context): Command =>
  new Command('whoami')
    .description('Show who you are logged in as, and where')
    .addHelpText('after', examples('recollect whoami', 'recollect whoami --json | jq -r .user.email'))
    .action(async (_options: object, command: Command) => {
      const service = await ctx.service(command)
      const user = await service
        .call((client, call) => client.me.retrieve(call))
        .catch((error: unknown) => {
          // A key of a workspace is nobody's; another one may lack read:profile.
          if (error instanceof Failure && error.exit === EXIT.forbidden) return null
          throw error
        })
      const { url, method } = service
      await ctx.show(command, { url, method, user }, () =>
        [
          user
            ? visibleLine(`${user.email}${user.name === '' ? '' : ` (${user.name})`}`)
            : 'A key that does not reveal its user',
          `at ${url}`,
          `with ${WAYS[method]}`,
        ].join('\n'),
      )
    })
