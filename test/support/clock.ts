import { afterEach } from 'node:test'
import { setClock } from '#shared/platform/time/clock.ts'

let restore: (() => void) | undefined
let stoppedAt: number | undefined

/** Moves the service's clock forward by `ms` until the test ends. A stopped clock stays stopped. */
export function moveClock(ms: number): void {
  restore?.()
  restore = setClock(() => new Date((stoppedAt ?? Date.now()) + ms))
}

/** Stops the service's clock, so that times are exact to the millisecond on a slow machine too. */
export function stopClock(): void {
  stoppedAt = Date.now()
  moveClock(0)
}

/** Stops the service's clock at the given time until the test ends. */
export function freezeClock(at: Date): void {
  restore?.()
  restore = setClock(() => at)
}

afterEach(() => {
  restore?.()
  restore = undefined
  stoppedAt = undefined
})
