interface Waiting<V> {
  resolve: (value: V | undefined) => void
  reject: (error: unknown) => void
}

/**
 * Joins look-ups that are asked for at the same time into one. A look-up always starts after it was asked for, so
 * its answer is never older than the question: it is joined work, not a cache.
 */
export function coalesce<V>(loadAll: (keys: string[]) => Promise<Map<string, V>>) {
  let waiting = new Map<string, Waiting<V>[]>()

  async function flush() {
    const batch = waiting
    waiting = new Map()
    try {
      const found = await loadAll([...batch.keys()])
      for (const [key, callers] of batch) for (const caller of callers) caller.resolve(found.get(key))
    } catch (error) {
      for (const callers of batch.values()) for (const caller of callers) caller.reject(error)
    }
  }

  return (key: string): Promise<V | undefined> =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(flush)
      const callers = waiting.get(key) ?? []
      callers.push({ resolve, reject })
      waiting.set(key, callers)
    })
}
