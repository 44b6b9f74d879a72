import { setImmediate } from 'node:timers/promises'

/** The processor time of this thread so far, in milliseconds. Other processes do not count. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The longest time for which one request may block the others, in milliseconds. */
export const MAX_BLOCKED_MS = 50

const TIMES = 3
/** What takes longer than allowed is measured again: a busy machine and garbage collection only add to it. */
const MOST_TIMES = 10

/** The least of several measurements, in milliseconds. */
export async function leastMs(measure: () => number | Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < TIMES || (time < MOST_TIMES && least > MAX_BLOCKED_MS); time++)
    least = Math.min(least, await measure())
  return least
}

/** The longest processor time between two turns of the event loop while `work` runs, in milliseconds. */
export const longestTurn = (work: () => Promise<unknown>): Promise<number> =>
  leastMs(() => longestTurnOnce(work))

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
