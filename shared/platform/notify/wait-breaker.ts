import { LRUCache } from 'lru-cache'

/** After this many consecutive waits without a result, callers no longer wait. */
const MAX_MISSES = 2
const MAX_KEYS = 10_000

interface Circuit {
  /** The number of consecutive waits without a result. */
  misses: number
  isTrying: boolean
}

interface Wait<T> {
  /** The subject of a wait, e.g. the payments of a store. Waits with the same key fail or succeed together. */
  key: string
  /** Waits for the result. It is `missed` if the whole time passed without one. */
  wait: () => Promise<T>
  missed: (result: T) => boolean
  /** Returns a result without waiting. */
  skip: () => Promise<T>
}

/**
 * Creates a circuit breaker for waits on outside systems, by key. After two failed waits, callers get `skip` without a
 * wait, and one wait at a time runs in the background. When that has a result, callers wait again. A library such as
 * opossum would test the outside system with a request of a caller, and that caller would wait for the whole time.
 */
export function waitBreaker() {
  const circuits = new LRUCache<string, Circuit>({ max: MAX_KEYS })

  return async function waitUnlessOpen<T>({ key, wait, missed, skip }: Wait<T>): Promise<T> {
    const circuit = circuits.get(key) ?? { misses: 0, isTrying: false }
    circuits.set(key, circuit)
    const observe = async () => {
      const result = await wait()
      circuit.misses = missed(result) ? circuit.misses + 1 : 0
      return result
    }
    if (circuit.misses < MAX_MISSES) return observe()
    if (!circuit.isTrying) {
      circuit.isTrying = true
      // An error says nothing about the outside system. The next caller starts another background wait.
      observe()
        .catch(() => {})
        .finally(() => {
          circuit.isTrying = false
        })
    }
    return skip()
  }
}
