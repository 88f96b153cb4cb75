import type { FC } from 'hono/jsx'
import { Shown } from '../../auth/index.ts'
import type { Vocabulary } from '../../core/embedding.ts'
import { markedWords } from '../../memory/index.ts'

/** A text with the words of a query marked. */
export const Marked: FC<{ text: string; query: string; vocabulary: Vocabulary }> = ({ text, query, vocabulary }) => (
  <bdi>
    {markedWords(text, query, vocabulary).map((piece) =>
      piece.isAsked ? (
        <mark>
          <Shown text={piece.text} />
        </mark>
      ) : (
        <Shown text={piece.text} />
      ),
    )}
  </bdi>
)
