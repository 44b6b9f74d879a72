import { DAY_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import { cancel, complete, expire, firstLine, pay, ship } from './order-steps.ts'
import { type PastOrder, release, wait } from './past-order.ts'
import { refund, returnGoods } from './refund-steps.ts'

type PaymentMethod = 'card' | 'bank_transfer' | 'cash_on_delivery' | 'sandbox'

/** What becomes of an order after it was placed. */
export interface Life {
  /** Default: any that the year draws. No order is paid by card: the gateway has no payment of it. */
  paymentMethod?: PaymentMethod
  /** The least number of lines. Default: 1. */
  lines?: number
  live: (past: PastOrder) => void
}

/** An order on delivery ships before it is paid. */
const isOnDelivery = ({ order }: PastOrder): boolean => order.paymentMethod === 'cash_on_delivery'

function payUnlessOnDelivery(past: PastOrder): void {
  if (isOnDelivery(past)) return
  const isTransfer = past.order.paymentMethod === 'bank_transfer'
  wait(past, isTransfer ? 30 : 0)
  pay(past, isTransfer ? past.year.staff : 'system')
}

function shipAll(past: PastOrder): void {
  payUnlessOnDelivery(past)
  wait(past, 30)
  ship(past)
}

function deliver(past: PastOrder): void {
  wait(past, 80)
  if (isOnDelivery(past)) {
    pay(past, past.year.staff)
    wait(past, 1)
  }
  complete(past)
}

const oneUnit = ({ items }: PastOrder) => [{ orderItemId: items[0]?.id ?? '', quantity: 1 }]
const allUnits = ({ items }: PastOrder) => items.map(({ id, quantity }) => ({ orderItemId: id, quantity }))

type ReturnSteps = Parameters<typeof returnGoods>[1]['steps']

const returned = (steps: ReturnSteps, { isWhole = false } = {}): Life => ({
  live(past) {
    COMPLETE.live(past)
    wait(past, 72)
    const units = isWhole ? allUnits(past) : oneUnit(past)
    returnGoods(past, { steps, units, isWhole, wait: () => wait(past, 48) })
  },
})

const PROCESSING: Life = { live: payUnlessOnDelivery }

const SHIPPED_IN_PART: Life = {
  lines: 2,
  paymentMethod: 'sandbox',
  live(past) {
    payUnlessOnDelivery(past)
    wait(past, 20)
    ship(past, firstLine(past))
  },
}

const SHIPPED: Life = { live: shipAll }

const COMPLETE: Life = {
  live(past) {
    shipAll(past)
    deliver(past)
  },
}

const COMPLETE_IN_PARTS: Life = {
  lines: 2,
  live(past) {
    payUnlessOnDelivery(past)
    wait(past, 30)
    ship(past, firstLine(past))
    wait(past, 50)
    ship(past)
    deliver(past)
  },
}

/** Its hold has ended: it can be paid while its goods are available. */
const PENDING: Life = {
  paymentMethod: 'bank_transfer',
  live: release,
}

const CANCELED: Life = {
  paymentMethod: 'bank_transfer',
  live(past) {
    wait(past, 60)
    cancel(past)
  },
}

const NOT_ACCEPTED: Life = {
  paymentMethod: 'cash_on_delivery',
  live(past) {
    shipAll(past)
    wait(past, 120)
    cancel(past)
  },
}

const FAILED: Life = {
  paymentMethod: 'card',
  live(past) {
    wait(past, 24)
    expire(past)
  },
}

/** One unit is refunded before the rest ships. */
const REFUNDED_IN_PART: Life = {
  lines: 2,
  paymentMethod: 'sandbox',
  live(past) {
    payUnlessOnDelivery(past)
    wait(past, 12)
    refund(past, { parts: { items: oneUnit(past) }, reason: 'Changed by the buyer', restock: true })
    wait(past, 20)
    ship(past)
    deliver(past)
  },
}

/** A part of the price goes back. */
const REBATED: Life = {
  live(past) {
    COMPLETE.live(past)
    wait(past, 60)
    const amountMinor = past.order.amountCapturedMinor / 10n
    refund(past, { parts: { amountMinor }, reason: 'A scratch' })
  },
}

const REFUNDED: Life = {
  paymentMethod: 'sandbox',
  live(past) {
    payUnlessOnDelivery(past)
    wait(past, 20)
    refund(past, { reason: 'The buyer does not need it any more' })
  },
}

const RETURNED = returned(['approved', 'received', 'completed'])
const RETURNED_WHOLLY = returned(['approved', 'received', 'completed'], { isWhole: true })

const repeat = (times: number, life: Life): Life[] => Array.from({ length: times }, () => life)

// Each list is repeated over the orders of its age, so that every store has every life.
const OF_DAYS = [
  ...[PROCESSING, SHIPPED_IN_PART, PROCESSING, SHIPPED, PROCESSING, CANCELED],
  ...[PROCESSING, SHIPPED, FAILED, PROCESSING],
]
const OF_A_WEEK = [SHIPPED, COMPLETE, SHIPPED, SHIPPED_IN_PART, COMPLETE, PROCESSING, FAILED, SHIPPED]
const OF_WEEKS = [
  ...[COMPLETE, PENDING, COMPLETE, returned([]), COMPLETE, COMPLETE, returned(['approved']), COMPLETE],
  ...[REFUNDED, COMPLETE, returned(['approved', 'received']), COMPLETE, CANCELED, COMPLETE_IN_PARTS],
]
const OF_MONTHS = [
  ...[...repeat(12, COMPLETE), COMPLETE_IN_PARTS, RETURNED, ...repeat(9, COMPLETE), FAILED],
  ...[...repeat(11, COMPLETE), REFUNDED_IN_PART, CANCELED, ...repeat(8, COMPLETE), REBATED],
  ...[...repeat(10, COMPLETE), RETURNED_WHOLLY, NOT_ACCEPTED, ...repeat(7, COMPLETE), REFUNDED],
  ...[...repeat(9, COMPLETE), CANCELED, returned(['rejected']), COMPLETE_IN_PARTS],
]
const DAYS = 3
const WEEK = 8
const WEEKS = 22

/** Returns a function that gives each order its life, by its age. An order by transfer is pending after its hold. */
export function livesOf({ bankTransferHoldSeconds }: Store, until: Date): (at: Date) => Life {
  const given = new Map<readonly Life[], number>()
  const weekMs = Math.max(WEEK * DAY_MS, bankTransferHoldSeconds * SECOND_MS)
  const listOf = (ageMs: number) => {
    if (ageMs < DAYS * DAY_MS) return OF_DAYS
    if (ageMs < weekMs) return OF_A_WEEK
    return ageMs < weekMs + (WEEKS - WEEK) * DAY_MS ? OF_WEEKS : OF_MONTHS
  }
  return (at) => {
    const list = listOf(until.getTime() - at.getTime())
    const index = given.get(list) ?? 0
    given.set(list, index + 1)
    return list[index % list.length] as Life
  }
}
