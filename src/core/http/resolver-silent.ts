/** The resolver itself does not answer. A name without an answer is another error, since a stranger may have chosen it. */
export class ResolverSilent extends Error {
  constructor(cause: unknown) {
    super('the resolver does not answer', { cause })
  }
}
