// A chat with a memory. Put your model in the place of `answerTo`. Press Ctrl-D to end it.
import { createInterface } from 'node:readline/promises'
import { recall, remember } from 'recollect/conversations'

const chat = { user: 'alex@example.com', conversationId: 'chat-1' }
const answerTo = async (question: string, memories: string) => (memories === '' ? `Noted: ${question}` : memories)

for await (const content of createInterface({ input: process.stdin })) {
  const { text } = await recall(content, chat)
  const answer = await answerTo(content, text)
  console.log(answer)
  await remember({ role: 'user', content }, chat)
  await remember({ role: 'assistant', content: answer }, chat)
}
