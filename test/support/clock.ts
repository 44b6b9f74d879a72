import { afterEach } from 'node:test'
import { setClock } from '#shared/platform/clock.ts'

let restore: (() => void) | undefined

/** Moves the service's clock on by `ms`, until the test ends. */
export function moveClock(ms: number): void {
  restore?.()
  restore = setClock(() => new Date(Date.now() + ms))
}

/** Stops the service's clock at a moment, until the test ends. */
export function freezeClock(at: Date): void {
  restore?.()
  restore = setClock(() => at)
}

afterEach(() => {
  restore?.()
  restore = undefined
})
