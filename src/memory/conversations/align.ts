/**
 * Aligns what is sent with what is stored by their longest common subsequence, of several the one that ends first in what is
 * sent. Answers for each place in `sent` the place in `stored`; null where it has none.
 */
export function align(sent: readonly string[], stored: readonly string[]): (number | null)[] {
  const width = stored.length + 1
  const lengths = new Uint16Array((sent.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = 1; i <= sent.length; i++)
    for (let j = 1; j <= stored.length; j++)
      lengths[i * width + j] =
        sent[i - 1] === stored[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1))
  const places: (number | null)[] = sent.map(() => null)
  let i = 0
  while (at(i, stored.length) < at(sent.length, stored.length)) i++
  for (let j = stored.length; i > 0 && j > 0;) {
    if (sent[i - 1] === stored[j - 1]) places[--i] = --j
    else if (at(i - 1, j) >= at(i, j - 1)) i--
    else j--
  }
  return places
}
