/** The model read one of the texts and will never embed it. The cause says why. */
export class TextRefused extends Error {
  override readonly name = 'TextRefused'
}
