import { log } from './log.ts'

const LONGEST_MS = 28_000

/** On SIGTERM or SIGINT: stops in order, or by force when that takes longer than a platform waits (30 s). */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const begin = async (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.error('could not stop in time')
      process.exit(1)
    }, LONGEST_MS).unref()
    await stop()
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
}
