import { setImmediate } from 'node:timers/promises'

const MS_PER_TURN = 5

/**
 * Returns a function for long loops: call it after each step. It lets the process do other work when the loop has run
 * for some milliseconds since the last pause. `next` waits for the next turn of the loop.
 */
export function pauseInTurns(next: () => Promise<void> = setImmediate): () => Promise<void> {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < MS_PER_TURN) return
    await next()
    begun = performance.now()
  }
}
