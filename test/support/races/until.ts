import { setImmediate } from 'node:timers/promises'

const LONGEST_MS = 60_000

/** Polls until the condition holds. The limit catches a condition that never holds, not a busy machine. */
export async function until(condition: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within a minute: ${condition}`)
    await setImmediate()
  }
}
