/** What a process's metrics say of it. Each read begins the next measurement of the event loop. */
export interface ProcessFigures {
  bytes: number
  /** The longest time in which the process handled nothing else, in milliseconds. */
  loopDelayMs: number
  /** As `loopDelayMs` in processor time, whatever other processes do; only with `loop-monitor.ts`. */
  loopBlockedMs: number
  /** The longest pause for garbage collection, in milliseconds; only with `loop-monitor.ts`. */
  gcPauseMs: number
}

/** Reads the metrics of a process at their URL. */
export async function readFigures(url: string): Promise<ProcessFigures> {
  const text = await (await fetch(url)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    bytes: figure('process_resident_memory_bytes'),
    loopDelayMs: figure('nodejs_eventloop_lag_max_seconds') * 1_000,
    loopBlockedMs: figure('test_loop_blocked_max_seconds') * 1_000,
    gcPauseMs: figure('test_gc_pause_max_seconds') * 1_000,
  }
}
