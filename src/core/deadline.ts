const LATE = Symbol('late')

/**
 * What `work` answers, or the error `late` where it takes longer than `deadlineMs`. The work itself is not stopped.
 * Its timer is left to end by itself, or with the request: to clear one costs a fast call more than to leave it.
 */
export async function within<T>(deadlineMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  const answer = await Promise.race([work, scheduler.wait(deadlineMs).then(() => LATE)])
  if (answer === LATE) throw late()
  return answer as T
}
