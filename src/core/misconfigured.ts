/** The deployment is configured in a way in which it can answer nothing. It refuses everything until that is mended. */
export class Misconfigured extends Error {
  override readonly name = 'Misconfigured'
}
