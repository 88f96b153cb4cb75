/** The words that the embedded model knows whole: common English ones. It is there whichever model the deployment has. */
export interface Vocabulary {
  /** `word`: in lower case, without accents. */
  has(word: string): boolean
}
