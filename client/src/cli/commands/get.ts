import { Command } from 'commander'
import type { MemoryItem } from '../../index.ts'
import type { Paint } from '../output/paint.ts'
import { visible, visibleLine } from '../output/visible.ts'
import type { Context } from './context.ts'
import { examples } from './options.ts'

export const getCommand = (ctx: Context): Command =>
  new Command('get')
    .description('Show an item')
    .argument('<id>', 'id of the item, mem_…')
    .option('--text', 'print only the text')
    .addHelpText('after', examples('recollect get mem_01J…', 'recollect get mem_01J… --text > note.txt'))
    .action(async (id: string, { text }: { text?: true }, command: Command) => {
      const service = await ctx.service(command)
      const item = await service.call((client, call) => client.memory.retrieve(id, call))
      // Into a file the text goes as it is.
      if (text) return ctx.print(ctx.io.stdout.isTTY === true ? visible(item.content.text) : item.content.text)
      await ctx.show(command, item, (shown) => describe(shown, ctx.paint(command)))
    })

function describe(item: MemoryItem, paint: Paint): string {
  const fields: [string, string | null][] = [
    ['id', item.id],
    ['custom id', item.custom_id],
    ['project', item.context.project_id],
    ['namespace', item.context.namespace],
    ['conversation', item.context.conversation_id ?? null],
    ['subject', item.context.subject ?? null],
    ['tags', item.tags.join(' ')],
    ['metadata', Object.keys(item.content.metadata).length > 0 ? JSON.stringify(item.content.metadata) : null],
    ['happened', item.occurred_at],
    ['stored', item.created_at],
    ['changed', item.updated_at],
    ['expires', item.expires_at],
    ['embedding', item.embedding_status],
    ['visible to', item.visibility],
    ['version', String(item.version)],
    ['retired', item.retired_at ?? null],
    ['reason', item.retired_reason ?? null],
    ['superseded by', item.superseded_by ?? null],
  ]
  const lines = fields.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [`${paint('dim', name.padEnd(13))}${visibleLine(value)}`],
  )
  return `${visible(item.content.text)}\n\n${lines.join('\n')}`
}
