// A chat with a memory, on the AI SDK: the model gets its memories of the user, and the conversation is stored.
import { generateText, wrapLanguageModel, type LanguageModel } from 'ai'
import { Recollect } from 'recollect'
import { memoryMiddleware, memoryTools } from 'recollect/ai-sdk'
import { namespaceOf } from 'recollect/namespace'

type Wrapped = Parameters<typeof wrapLanguageModel>[0]['model']

/** One namespace per user, so that no one gets the memories of someone else. */
export async function chatOf(
  user: string,
  { model, baseUrl, apiKey }: { model: Wrapped; baseUrl: string; apiKey: string },
) {
  const recollect = new Recollect({ baseUrl, credential: { apiKey } })
  const context = { namespace: await namespaceOf('chat', user) }
  const remembering: LanguageModel = wrapLanguageModel({
    model,
    middleware: memoryMiddleware({ recollect, context, onError: (error) => console.error(error) }),
  })
  return async (prompt: string): Promise<string> => {
    const { text } = await generateText({
      model: remembering,
      tools: memoryTools({ recollect, context }),
      instructions: 'You are a friendly assistant.',
      prompt,
    })
    return text
  }
}
