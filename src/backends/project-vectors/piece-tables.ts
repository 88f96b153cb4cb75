import { pieceTable } from '../embedded/piece-table.ts'
import { embeddedEmbedder } from '../embedder.embedded.ts'
import type { PieceTable } from './asked-pieces.ts'

/** The table of a model's pieces; null for a model that somebody else runs. */
export const pieceTableOf = async (model: string): Promise<PieceTable | null> =>
  model === embeddedEmbedder.model ? await pieceTable() : null
