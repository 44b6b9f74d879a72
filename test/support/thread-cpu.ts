import { setImmediate } from 'node:timers/promises'

/** The processor time of this thread so far, in milliseconds. Other processes do not count. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const TIMES = 3

/**
 * The longest processor time between two turns of the event loop while `work` runs, in milliseconds; the least of
 * several runs.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < TIMES; time++) least = Math.min(least, await longestTurnOnce(work))
  return least
}

async function longestTurnOnce(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = cpuMs()
  const measure = () => {
    longest = Math.max(longest, cpuMs() - before)
    before = cpuMs()
  }
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    measure()
    await setImmediate()
  }
  await done
  measure()
  return longest
}
