/**
 * Answers what `work` answers, or throws `late()` where it takes longer than `deadlineMs`. The work is not stopped.
 * The timer ends by itself or with the request: clearing it costs a fast call more than leaving it, and
 * `scheduler.wait` costs twice as much as a timer.
 */
export const within = <T>(deadlineMs: number, work: Promise<T>, late: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    // The timer must not hold the answer until it ends.
    let waiting: typeof reject | null = reject
    const arrived = (): void => {
      waiting = null
    }
    work.then(arrived, arrived)
    work.then(resolve, reject)
    setTimeout(() => waiting?.(late()), deadlineMs)
  })
