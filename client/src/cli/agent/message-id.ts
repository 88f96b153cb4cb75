import type { Agent } from './agents.ts'

const MAX_CONVERSATION_ID = 128

/** The id of the conversation that a session of an agent is. */
export const conversationOf = (agent: Agent, session: string): string =>
  `${agent}:${session}`.slice(0, MAX_CONVERSATION_ID)

/** The id that identifies a message. `number`: its place among those of its role in the turn, from 1. */
export const messageId = (turn: string, role: 'user' | 'assistant', number: number): string =>
  `${turn}:${role === 'user' ? 'prompt' : 'answer'}${number === 1 ? '' : `.${number}`}`
