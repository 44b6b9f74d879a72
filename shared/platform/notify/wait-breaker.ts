import { LRUCache } from 'lru-cache'

/** After so many waits in a row without a result, nobody waits. */
const MAX_MISSES = 2
const MAX_KEYS = 10_000

interface Circuit {
  /** Waits without a result in a row. */
  misses: number
  isTrying: boolean
}

interface Wait<T> {
  /** The subject of a wait, such as the payments of a store: its waits have one result. */
  key: string
  /** Waits. Its result is `missed` when it took the whole time in vain. */
  wait: () => Promise<T>
  missed: (result: T) => boolean
  /** The result without a wait. */
  skip: () => Promise<T>
}

/**
 * A circuit breaker for waits on an outside system (by key). After two waits in vain the callers get `skip` at once,
 * and one wait at a time goes on in the background, on behalf of no caller: when it has a result, the next callers wait
 * again. The known libraries let a caller try instead, who would have to wait for the whole time.
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
      // A failed try says nothing about the outside system: the next caller begins another.
      observe()
        .catch(() => {})
        .finally(() => {
          circuit.isTrying = false
        })
    }
    return skip()
  }
}
