/** The answer of an operation that ran inside the isolate: no text of it is made or read. */
export interface InnerAnswer<Body = unknown> {
  status: number
  body: Body
  /** The RateLimit headers of the call. */
  limits: Record<string, string>
}
