// A chat with a memory, on the AI SDK: the model gets what it remembers of the user, and what is said is remembered.
import { generateText, wrapLanguageModel, type LanguageModel } from 'ai'
import { Recollect } from 'recollect'
import { memoryMiddleware, memoryTools } from 'recollect/ai-sdk'

type Wrapped = Parameters<typeof wrapLanguageModel>[0]['model']

/** One namespace for each user: nobody's memories reach somebody else. */
export function chatOf(user: string, { model, baseUrl, apiKey }: { model: Wrapped; baseUrl: string; apiKey: string }) {
  const recollect = new Recollect({ baseUrl, credential: { apiKey } })
  const context = { namespace: `chat:${user}` }
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
