/**
 * Answers what `work` answers, or throws `late()` where it takes longer than `deadlineMs`. The work is not stopped.
 * The timer ends by itself or with the request: clearing it costs a fast call more than leaving it, and
 * `scheduler.wait` costs twice as much as a timer.
 */
export const within = <T>(deadlineMs: number, work: Promise<T>, late: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    let waiting = true
    const arrived = (): void => {
      waiting = false
    }
    work.then(arrived, arrived)
    work.then(resolve, reject)
    setTimeout(() => {
      if (waiting) reject(late())
    }, deadlineMs)
  })
