import { setImmediate } from 'node:timers/promises'

const LONGEST_MS = 60_000

/** Looks again and again until the condition holds. The limit is for one that never does, not for a busy machine. */
export async function until(condition: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within a minute: ${condition}`)
    await setImmediate()
  }
}
