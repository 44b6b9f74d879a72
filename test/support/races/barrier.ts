/** A barrier: all callers continue once all have arrived. Makes the order of a race deterministic. */
export function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let missing = count
  return () => {
    missing -= 1
    if (missing === 0) resolve()
    return promise
  }
}
