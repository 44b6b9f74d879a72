import fc from 'fast-check'
import { DELIVERED } from './plain-steps.ts'
import { CURRENCIES, type Terms } from './shop.ts'

const METHODS = ['card', 'card', 'card', 'bank_transfer', 'cash_on_delivery'] as const
const CARDS = ['visa', 'visa', 'chargeDeclined', 'pendingRefund', 'refundFail'] as const
const STATUSES = ['shipped', 'complete', 'canceled', 'refunded', 'processing'] as const
const CALLS = [
  'POST /v1/payment_intents',
  'POST /v1/payment_intents/:id/cancel',
  'POST /v1/refunds',
  'GET /v1/payment_intents/:id',
  'GET /v1/refunds/:id',
] as const

/** The order of a step: its position, modulo the number of orders. */
const order = fc.nat({ max: 3 })
const units = fc.integer({ min: 1, max: 3 })
/** Percent of the amount. */
const share = fc.constantFrom(1, 33, 50, 100)
const step = <Kind extends string, Rest extends object>(
  kind: Kind,
  rest: { [K in keyof Rest]: fc.Arbitrary<Rest[K]> },
) => fc.record({ kind: fc.constant(kind), ...rest }) as unknown as fc.Arbitrary<{ kind: Kind } & Rest>

const ARBITRARIES = {
  checkout: step('checkout', {
    lines: fc.array(fc.record({ variant: fc.nat({ max: 1 }), quantity: units }), {
      minLength: 1,
      maxLength: 2,
    }),
    method: fc.constantFrom(...METHODS),
    voucher: fc.constantFrom('none', 'none', 'shop', 'bought' as const),
    coupon: fc.boolean(),
    buysVoucher: fc.constantFrom(false, false, true),
  }),
  confirm: step('confirm', {
    order,
    card: fc.constantFrom(...CARDS),
    difference: fc.constantFrom(0, 0, 0, 0, -10, 10),
  }),
  pay: step('pay', { order }),
  cancel: step('cancel', { order }),
  markPaid: step('markPaid', { order }),
  status: step('status', {
    order,
    to: fc.constantFrom(...STATUSES),
    override: fc.boolean(),
    restock: fc.boolean(),
  }),
  ship: step('ship', { order, line: fc.nat({ max: 1 }), units, override: fc.boolean() }),
  deleteShipment: step('deleteShipment', { order }),
  adjustStock: step('adjustStock', { variant: fc.nat({ max: 1 }), delta: fc.constantFrom(-2, -1, 1, 2) }),
  refund: step('refund', {
    order,
    parts: fc.constantFrom('amount', 'items', 'items', 'shipping', 'rest' as const),
    share,
    line: fc.nat({ max: 1 }),
    units,
    restock: fc.boolean(),
    override: fc.boolean(),
    outside: fc.constantFrom(false, false, false, true),
  }),
  markSurplusReturned: step('markSurplusReturned', { order }),
  payTwice: step('payTwice', { order }),
  resolve: step('resolve', { order, decision: fc.constantFrom('accept', 'return' as const) }),
  requestReturn: step('requestReturn', {
    order,
    units,
    action: fc.constantFrom('refund', 'credit', 'replacement', 'none' as const),
  }),
  progressReturn: step('progressReturn', {
    order,
    disposition: fc.constantFrom('restocked', 'restocked', 'not_restocked', 'missing' as const),
    restock: fc.boolean(),
    feePercent: fc.constantFrom(0, 0, 30, 100),
  }),
  refundInDashboard: step('refundInDashboard', { order, share }),
  endRefund: step('endRefund', { order, outcome: fc.constantFrom('succeeded', 'failed' as const) }),
  dispute: step('dispute', { order, share }),
  decide: step('decide', { order, status: fc.constantFrom('won', 'lost', 'under_review' as const) }),
  deliver: step('deliver', { how: fc.constantFrom('once', 'twice', 'reversed', 'never' as const) }),
  passTime: step('passTime', { minutes: fc.constantFrom(5, 35, 6 * 60, 25 * 60) }),
  schedule: step('schedule', {}),
  kill: step('kill', {
    call: fc.constantFrom(...CALLS),
    mode: fc.constantFrom('error_before', 'error_after', 'refuse' as const),
  }),
}

export type Step = {
  [Kind in keyof typeof ARBITRARIES]: (typeof ARBITRARIES)[Kind] extends fc.Arbitrary<infer S> ? S : never
}[keyof typeof ARBITRARIES]

const WEIGHTS: Partial<Record<keyof typeof ARBITRARIES, number>> = {
  checkout: 4,
  confirm: 6,
  deliver: 5,
  refund: 3,
  status: 3,
}

/**
 * A shop and what happens in it. It starts with an order. Events of the gateway arrive only by `deliver` and
 * `schedule`.
 */
export interface History {
  terms: Terms
  stock: number[]
  steps: Step[]
}

const anyStep = fc.oneof(
  ...Object.entries(ARBITRARIES).map(([kind, arbitrary]) => ({
    arbitrary: arbitrary as fc.Arbitrary<Step>,
    weight: WEIGHTS[kind as keyof typeof ARBITRARIES] ?? 1,
  })),
)

/** Steps that random ones rarely add up to: an order that is paid by card, shipped, and returned. */
const scene: fc.Arbitrary<Step[]> = fc
  .record({
    order,
    card: fc.constantFrom('visa', 'visa', 'pendingRefund', 'refundFail' as const),
    length: fc.integer({ min: 2, max: 8 }),
    requested: ARBITRARIES.requestReturn,
    progress: fc.array(ARBITRARIES.progressReturn, { minLength: 4, maxLength: 4 }),
  })
  .map(({ order, card, length, requested, progress }) =>
    [
      { kind: 'confirm', order, card, difference: 0 } as const,
      DELIVERED,
      { kind: 'status', order, to: 'shipped', override: true, restock: false } as const,
      { ...requested, order },
      ...progress.map((one) => ({ ...one, order })),
    ].slice(0, length),
  )

/** Another amount is captured than was requested, and refunded in part before staff decide. */
const mismatchScene: fc.Arbitrary<Step[]> = fc
  .record({
    order,
    difference: fc.constantFrom(-10, 10),
    refund: ARBITRARIES.refundInDashboard,
    resolve: ARBITRARIES.resolve,
    length: fc.integer({ min: 2, max: 5 }),
  })
  .map(({ order, difference, refund, resolve, length }) =>
    [
      { kind: 'confirm', order, card: 'visa', difference } as const,
      DELIVERED,
      { ...refund, order },
      DELIVERED,
      { ...resolve, order },
    ].slice(0, length),
  )

const first = ARBITRARIES.checkout.map((checkout) => ({
  ...checkout,
  lines: [{ variant: 0, quantity: 1 }],
  voucher: checkout.voucher === 'bought' ? ('shop' as const) : checkout.voucher,
}))

export const history: fc.Arbitrary<History> = fc.record({
  terms: fc.record({ currency: fc.constantFrom(...CURRENCIES), pricesIncludeTax: fc.boolean() }),
  stock: fc.array(fc.integer({ min: 2, max: 6 }), { minLength: 2, maxLength: 2 }),
  steps: fc
    .tuple(
      first,
      fc.array(
        fc.oneof(
          { arbitrary: anyStep.map((one) => [one]), weight: 8 },
          { arbitrary: scene, weight: 2 },
          { arbitrary: mismatchScene, weight: 1 },
        ),
        {
          minLength: 3,
          maxLength: 12,
          size: 'max',
        },
      ),
    )
    .map(([checkout, rest]) => [checkout, ...rest.flat()]),
})
