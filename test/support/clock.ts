import { afterEach } from 'node:test'
import { setClock } from '#shared/platform/time/clock.ts'

let restore: (() => void) | undefined
let stoppedAt: number | undefined

/** Moves the service's clock on by `ms`, until the test ends: it runs on from there, unless it was stopped. */
export function moveClock(ms: number): void {
  restore?.()
  restore = setClock(() => new Date((stoppedAt ?? Date.now()) + ms))
}

/** Stops the service's clock, so that a test can say to the millisecond what time it is, however long it takes. */
export function stopClock(): void {
  stoppedAt = Date.now()
  moveClock(0)
}

/** Stops the service's clock at a moment, until the test ends. */
export function freezeClock(at: Date): void {
  restore?.()
  restore = setClock(() => at)
}

afterEach(() => {
  restore?.()
  restore = undefined
  stoppedAt = undefined
})
