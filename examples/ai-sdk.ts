// A chat with a memory, on the AI SDK: the model gets its memories of the user, and the conversation is stored.
import { generateText, wrapLanguageModel, type LanguageModel } from 'ai'
import { Recollect } from 'recollect'
import { memoryMiddleware, memoryTools } from 'recollect/ai-sdk'
import { namespaceOf } from 'recollect/namespace'

type Wrapped = Parameters<typeof wrapLanguageModel>[0]['model']

/** Each user has a memory of their own, so that no one gets the memories of someone else. */
export async function chatOf(
  user: string,
  { model, baseUrl, apiKey }: { model: Wrapped; baseUrl: string; apiKey: string },
) {
  const recollect = new Recollect({ baseUrl, credential: { apiKey } })
  const remembering: LanguageModel = wrapLanguageModel({ model, middleware: memoryMiddleware({ recollect, user }) })
  const tools = memoryTools({ recollect, context: { namespace: await namespaceOf('user', user) } })
  return async (prompt: string): Promise<string> => {
    const { text } = await generateText({
      model: remembering,
      tools,
      instructions: 'You are a friendly assistant.',
      prompt,
    })
    return text
  }
}
