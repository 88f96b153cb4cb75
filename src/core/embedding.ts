/** The model read one of the texts and will not embed it, now or later; the cause says why. */
export class TextRefused extends Error {
  override readonly name = 'TextRefused'
}
