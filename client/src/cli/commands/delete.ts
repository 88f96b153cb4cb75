import { Command } from 'commander'
import { Failure } from '../failure.ts'
import { visibleLine } from '../output/visible.ts'
import type { Context } from './context.ts'
import { examples } from './options.ts'

export const deleteCommand = (ctx: Context): Command =>
  new Command('delete')
    .description('Delete items')
    .argument('<ids...>', 'ids of the items, mem_…')
    .addHelpText('after', examples('recollect delete mem_01J…', 'recollect delete mem_01J… mem_01K…'))
    .action(async (ids: string[], _options: object, command: Command) => {
      const service = await ctx.service(command)
      const deleted: string[] = []
      const failed: { id: string; code: string | null }[] = []
      for (const id of ids) {
        try {
          await service.call((client, call) => client.memory.delete(id, call))
          deleted.push(id)
        } catch (error) {
          if (!(error instanceof Failure) || error.code === null || ids.length === 1) throw error
          // One that is gone keeps none of the others.
          failed.push({ id, code: error.code })
          ctx.say(`${visibleLine(id)}: ${visibleLine(error.message)}`)
          ctx.exit = error.exit
        }
      }
      await ctx.show(command, { deleted, failed }, () => deleted.map((id) => `Deleted: ${visibleLine(id)}`).join('\n'))
    })
