/** The turns of the event loop in which something happened, each with how often. */
export interface LoopTurns extends Disposable {
  note(): void
  /** The number of different turns. */
  readonly count: number
  /** The most that happened in one turn. */
  readonly most: number
}

/** Counts in which turns of the event loop something happens. */
export function watchLoopTurns(): LoopTurns {
  const times = new Map<number, number>()
  let turn = 0
  let next: NodeJS.Immediate
  const tick = () => {
    turn += 1
    next = setImmediate(tick)
  }
  tick()
  return {
    note: () => void times.set(turn, (times.get(turn) ?? 0) + 1),
    get count() {
      return times.size
    },
    get most() {
      return Math.max(...times.values())
    },
    [Symbol.dispose]: () => clearImmediate(next),
  }
}
