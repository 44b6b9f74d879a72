/** Receives the ends of waits for a connection. */
interface WaitWatcher {
  /** A wait has ended after this time in milliseconds. */
  ended(ms: number): void
  /** Work has given up, because it waited too long. */
  timedOut(): void
}

let waits = 0
let watcher: WaitWatcher | undefined

/** Returns the number of pieces of work that wait for a connection. */
export const waitingWork = (): number => waits

/** Reports the waits for a connection. A process has one watcher. */
export function watchWaits(newWatcher: WaitWatcher): void {
  watcher = newWatcher
}

/** Counts work that waits from now on. Returns a function that ends its wait. */
export function beginWait(): () => void {
  const began = performance.now()
  waits += 1
  return () => {
    waits -= 1
    watcher?.ended(performance.now() - began)
    if (waits <= FEW_WAITS) for (const resume of waitingUntilFew) resume()
  }
}

/** Counts work that gives up, because it waited too long. */
export const countTimeout = (): void => watcher?.timedOut()

// The next released connection goes to this last piece of work. What later work needs must be looked up now, or the
// connections after that are idle.
const FEW_WAITS = 1

const waitingUntilFew = new Set<() => void>()

/** Waits until hardly any work waits for a connection, or for `maxMs`. */
export async function untilFewWait(maxMs: number): Promise<void> {
  if (waits <= FEW_WAITS) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, maxMs)
  waitingUntilFew.add(resolve)
  await promise
  waitingUntilFew.delete(resolve)
  clearTimeout(timer)
}
