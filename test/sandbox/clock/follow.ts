import { readOffset } from './offset-file.ts'
import { refuseProduction } from './refuse-production.ts'
import { shiftDate } from './shifted-date.ts'

/*
 * `node --import` this before a program, and the program's time is the sandbox's. `npm start` does so for each of its
 * processes. The service has no part in it: without this file it reads the machine's clock.
 */

/** The starter sends it after it has stored a new offset. The process returns it when its time has moved. */
export interface ClockMoved {
  clock_offset_ms: number
}

refuseProduction(process.env)
const file = process.env.SANDBOX_CLOCK as string
shiftDate(readOffset(file))

process.on('message', (message: ClockMoved) => {
  if (typeof message?.clock_offset_ms !== 'number') return
  shiftDate(message.clock_offset_ms)
  process.send?.(message)
})
// The channel to the starter must not keep a program alive that has ended.
process.channel?.unref()
