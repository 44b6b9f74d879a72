import { randomUUID } from 'node:crypto'
import { matchPath } from './routes.ts'

export const FAULT_MODES = [
  'slow', // applied after `delay_ms`, even when the client has disconnected
  'error_before', // 500, nothing applied
  'refuse', // connection reset, nothing applied
  'decline', // a definite refusal, stored under the idempotency key
  'hang_before', // not applied until released; never applied when the client disconnects first
  'error_after', // applied, then 500
  'hang_after', // applied; the response waits until released
  'timeout_after_success', // applied, never answered; the connection is reset after `delay_ms`, if given
] as const

export type FaultMode = (typeof FAULT_MODES)[number]

/** `on` is a method and a path (`POST /v1/refunds`, `POST /v1/payment_intents/:id/confirm`), or `*`. */
export type FaultRule = {
  on: string
  mode: FaultMode
  times?: number
  delay_ms?: number
}
export type Fault = FaultRule & { id: string; used: number }

/** The configured faults. The first rule that matches a request applies, until its `times` are used up. */
export class Faults {
  #rules: Fault[] = []

  set(...rules: FaultRule[]): Fault[] {
    const added = rules.map((rule) => ({
      ...checked(rule),
      id: randomUUID(),
      used: 0,
    }))
    this.#rules.push(...added)
    return added
  }

  list(): Fault[] {
    return [...this.#rules]
  }

  clear() {
    this.#rules = []
  }

  /** The fault for this request; counts it as used. */
  take(method: string, path: string): Fault | undefined {
    const rule = this.#rules.find(
      ({ on, times, used }) => used < (times ?? Infinity) && fits(on, method, path),
    )
    if (rule) rule.used += 1
    return rule
  }
}

function fits(on: string, method: string, path: string) {
  if (on === '*') return true
  const [wanted, pattern] = on.split(' ')
  return wanted === method && matchPath(pattern ?? '', path) !== undefined
}

function checked(rule: FaultRule): FaultRule {
  const { on, mode, times, delay_ms } = rule
  if (typeof on !== 'string' || !/^(\*|(GET|POST|DELETE) \/\S+)$/.test(on)) {
    throw new TypeError('`on` is a method and a path, such as `POST /v1/refunds`, or `*`')
  }
  if (!FAULT_MODES.includes(mode)) throw new TypeError(`\`mode\` is one of ${FAULT_MODES.join(', ')}`)
  for (const value of [times, delay_ms]) {
    if (value !== undefined && !Number.isInteger(value))
      throw new TypeError('`times` and `delay_ms` are whole numbers')
  }
  if (mode === 'slow' && delay_ms === undefined) throw new TypeError('`slow` needs `delay_ms`')
  return {
    on,
    mode,
    ...(times === undefined ? {} : { times }),
    ...(delay_ms === undefined ? {} : { delay_ms }),
  }
}
