import { Command } from 'commander'
import { visibleLine } from '../output/visible.ts'
import type { Context } from './context.ts'
import { defined, examples } from './options.ts'

export const retireCommand = (ctx: Context): Command =>
  new Command('retire')
    .description('Retire an item that is no longer true, so that searches no longer find it')
    .argument('<id>', 'id of the item, mem_…')
    .option('--reason <text>', 'why it is no longer true')
    .addHelpText('after', examples('recollect retire mem_01J… --reason moved'))
    .action(async (id: string, { reason }: { reason?: string }, command: Command) => {
      const service = await ctx.service(command)
      const item = await service.call((client, call) => client.memory.retire(id, defined({ reason }), call))
      await ctx.show(command, item, () => `Retired: ${visibleLine(item.id)}`)
    })

export const restoreCommand = (ctx: Context): Command =>
  new Command('restore')
    .description('Make a retired item current again')
    .argument('<id>', 'id of the item, mem_…')
    .addHelpText('after', examples('recollect restore mem_01J…'))
    .action(async (id: string, _options: object, command: Command) => {
      const service = await ctx.service(command)
      const item = await service.call((client, call) => client.memory.restore(id, call))
      await ctx.show(command, item, () => `Restored: ${visibleLine(item.id)}`)
    })
