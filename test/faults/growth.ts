// Measures how the processor time of a function grows with its input. The clock of some machines moves in steps, so
// each measurement repeats the function until it has taken many steps. Time of the thread, not time: other processes do
// not count.

import { cpuMs } from '#test/support/measure/thread-cpu.ts'

const LEAST_MS = 20
const TIMES = 3
/**
 * How many small inputs are together as large as the whole. Sixteen sets a quadratic reader (256 times as long) so far
 * apart from a linear one (16 times) that garbage collection and caches cannot make one look like the other.
 */
const PARTS = 16
/** How often a suspicious measurement is repeated: a busy machine slows the processor, but seldom ten times. */
const MOST_TIMES = 10

/** A function that reads what callers send. */
export interface Reader<T = unknown> {
  name: string
  /** The size of the largest input that reaches it. */
  most: number
  /** Makes a hostile input of a size. */
  make(size: number): T
  /** Reads it. It may throw, as it does for an invalid input. */
  read(input: T): unknown
  /** Whether it pauses after each piece, so that its whole time blocks nobody. */
  pauses?: boolean
}

/** The processor time that a reader takes for its largest input, and how often the time for a sixteenth of it. */
export interface Growth {
  ms: number
  ratio: number
}

/**
 * Measures a reader with its largest input and a sixteenth of it; the lowest of several measurements each. Measures
 * again while `isGood` refuses the result, which a measurement that other processes disturb could cause.
 */
export async function measureGrowth<T>(
  { most, make, read }: Reader<T>,
  isGood: (growth: Growth) => boolean = () => true,
): Promise<Growth> {
  // All parts in turn take as much of the processor's caches as the whole. One alone would stay in a faster cache.
  const parts = Array.from({ length: PARTS }, () => make(Math.ceil(most / PARTS)))
  const wholeInput = make(most)
  let turn = 0
  const calls = [() => read(parts[turn++ % PARTS] as T), () => read(wholeInput)] as const
  const best: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // In turns, so that a slow moment of the machine meets both.
  for (let time = 1; ; time++) {
    for (const side of [0, 1] as const) best[side] = Math.min(best[side], await timeOf(calls[side]))
    const [part, whole] = best
    const growth = { ms: whole, ratio: whole / part }
    if (time === MOST_TIMES || (time >= TIMES && isGood(growth))) return growth
  }
}

/** The processor time of one call in milliseconds. */
async function timeOf(call: () => unknown): Promise<number> {
  await runOnce(call)
  for (let count = 1; ; ) {
    const before = cpuMs()
    for (let done = 0; done < count; done++) await runOnce(call)
    const ms = cpuMs() - before
    if (ms >= LEAST_MS) return ms / count
    count *= ms < LEAST_MS / 8 ? 8 : 2
  }
}

async function runOnce(call: () => unknown): Promise<void> {
  try {
    const result = call()
    if (result instanceof Promise) await result
  } catch {
    // An invalid input.
  }
}
