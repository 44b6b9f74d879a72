import { log } from './log.ts'

const MAX_STOP_MS = 28_000

/** Stops the process on SIGTERM or SIGINT. Hosting platforms kill it after 30 seconds, so it exits before that. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const onSignal = async (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.error('could not stop in time')
      process.exit(1)
    }, MAX_STOP_MS).unref()
    await stop()
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
