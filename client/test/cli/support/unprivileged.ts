/** Runs as a user without rights of its own: root may read everything. */
export async function unprivileged<T>(task: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    return await task()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}
