/** The pieces of work that wait, by store. The first store is the next to have a turn. */
const waiting = new Map<string, (() => void)[]>()
let isGiving = false

/**
 * Waits for a turn of the event loop in which no other long work runs. Call it before each long piece of work, e.g.
 * some milliseconds of a large response. With `setImmediate` alone, one turn would run a piece of every large request,
 * and small requests would wait for all of them. Stores take turns.
 */
export function takeTurn(storeId = ''): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const own = waiting.get(storeId) ?? []
  own.push(resolve)
  waiting.set(storeId, own)
  if (!isGiving) setImmediate(giveTurns)
  isGiving = true
  return promise
}

/** Gives this turn to one piece of work, and schedules the turn of the next one. */
function giveTurns(): void {
  const [first] = waiting
  isGiving = first !== undefined
  if (!first) return
  const [storeId, own] = first
  waiting.delete(storeId)
  const [next, ...others] = own
  if (others.length > 0) waiting.set(storeId, others)
  next?.()
  setImmediate(giveTurns)
}
