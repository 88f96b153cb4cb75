/** A task of the bench for the Worker. `texts` are the parts to put, or the questions to ask, one after another. */
export interface VectorsTask {
  object: string
  work: 'put' | 'remove' | 'query' | 'score' | 'embed'
  texts: string[]
  /** Number of the first item. Each text is an item of its own. */
  first?: number
  /** Ranks by cosine alone. */
  cosines?: boolean
  limit?: number
  items?: string[]
}
