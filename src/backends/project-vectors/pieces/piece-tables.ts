import type { ExactQuery } from '../../../core/vectors.ts'
import { pieceTable } from '../../embedded/piece-table.ts'
import { embeddedEmbedder } from '../../embedder.embedded.ts'
import type { PieceTable } from './asked-pieces.ts'

/** The table of a query's pieces; null: it has none, or somebody else runs its model. */
export const tableFor = async ({ model, pieces }: ExactQuery): Promise<PieceTable | null> =>
  pieces && model === embeddedEmbedder.model ? await pieceTable() : null
