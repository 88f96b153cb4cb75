import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Toolset } from './tools/toolset.ts'

interface Prompt {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
}

const PROMPTS: Prompt[] = [
  {
    name: 'recall',
    title: 'Recall what you know',
    description: 'Recalls what the memories say about a topic and answers from it.',
    arguments: [{ name: 'topic', description: 'What to look for, in plain words.', required: true }],
  },
  {
    name: 'remember',
    title: 'Remember this conversation',
    description: 'Stores what will matter later from this conversation.',
    arguments: [
      { name: 'focus', description: 'What to focus on (default: everything that matters).', required: false },
    ],
  },
]

/** Characters of an argument. */
const MAX_ARGUMENT = 4_096

const TEXTS: Record<string, (value: string) => string> = {
  recall: (topic) =>
    `Call recall with the following topic as its query, and search_memories with several short queries if it returns little. Then tell me what you found, with the date of each memory, and say so if nothing was found. Topic: ${topic}`,
  remember: (focus) =>
    [
      'Go through our conversation and use store_memory to store what will matter later: preferences, facts about me and my work, decisions with their reasons, and open questions.',
      'Search first. If a new fact replaces a memory, name it in supersedes; if only its words change, use update_memory instead of storing a second one. Write one fact per memory, in a sentence that makes sense without this conversation. Do not store secrets. Then list what you stored.',
      ...(focus === '' ? [] : [`Focus on: ${focus}`]),
    ].join(' '),
}

/** The prompts, in the order of the list. `?tools=search` has none, because they name tools that it leaves out. */
export const promptsOf = (toolset: Toolset): Prompt[] => (toolset === 'all' ? PROMPTS : [])

/** The messages of a prompt; -32602 for an unknown one and for arguments that it does not take. */
export function getPrompt(
  toolset: Toolset,
  { name, arguments: given = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
) {
  const prompt = promptsOf(toolset).find((one) => one.name === name)
  const [argument] = prompt?.arguments ?? []
  if (!prompt || !argument) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No such prompt.')
  const unknown = Object.keys(given).some((key) => key !== argument.name)
  const sent = given[argument.name]
  const value = typeof sent === 'string' ? sent : ''
  if (unknown || value.length > MAX_ARGUMENT || (argument.required && value.trim() === '')) {
    const must = argument.required ? 'needs' : 'takes'
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The prompt ${name} ${must} one argument, ${argument.name}, of at most ${MAX_ARGUMENT} characters.`,
    )
  }
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: TEXTS[name]?.(value) ?? '' } }],
  }
}
