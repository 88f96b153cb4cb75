/**
 * What `work` answers, or the error `late` where it takes longer than `deadlineMs`. The work itself is not stopped.
 * Its timer is left to end by itself, or with the request: to clear one costs a fast call more than to leave it, and
 * `scheduler.wait` costs twice a timer.
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
