import assert from 'node:assert/strict'
import { test } from 'node:test'
import { superuser } from '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import fc from 'fast-check'
import { findCommission } from '#shared/affiliates/commission.ts'
import { payOut } from '#shared/affiliates/commissions/pay-out.ts'
import { readBalances } from '#shared/affiliates/read-balances.ts'
import { readDisputeVersion, recordDispute } from '#shared/disputes/record-dispute.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { findOrder } from '#shared/orders/order.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { DAY_MS, now } from '#shared/platform/time/clock.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildAffiliate } from '#test/support/builders/affiliates.ts'
import { buildCapturedOrder, type CapturedOrder } from '#test/support/builders/captured-order.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

// Draws histories of an affiliate with two orders, one paid by card and one by other means: completions, refunds of
// every kind, refunds that fail afterwards, lost and revised disputes, payouts and days that pass, in any order. After
// each history the books agree (testBooks), and each commission is what its order says.

const order = fc.nat({ max: 1 })
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('complete' as const), order }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('refund units' as const), order, line: fc.nat({ max: 1 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('refund sum' as const),
      order,
      minor: fc.integer({ min: 1, max: 1_500 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refund shipping' as const), order }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refund rest' as const), order }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail a refund' as const), order }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('lose a dispute' as const),
      minor: fc.integer({ min: 1, max: 2_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('win it after all' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pay out' as const),
      minor: fc.option(fc.integer({ min: 1, max: 120 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 10, max: 45 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('run jobs' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function buildPlay(basisPoints: number) {
  let time = Date.parse('2026-01-10T12:00:00Z')
  freezeClock(new Date(time))
  const store = await buildStore()
  const affiliate = await buildAffiliate(store, { commissionBasisPoints: basisPoints })
  const lines = [
    { priceMinor: 333n, quantity: 3, taxMinor: 190n },
    { priceMinor: 1_001n, quantity: 1, taxMinor: 70n },
  ]
  const build = (given: object) => buildCapturedOrder(store, { affiliateId: affiliate.id, lines, ...given })
  const orders = [await build({ gateway, discountMinor: 101n }), await build({ voucherMinors: [700n] })]
  const pass = (days: number) => {
    time += days * DAY_MS
    freezeClock(new Date(time))
  }
  return { store, affiliate, orders, pass, dispute: `dp_${nextNumber()}` }
}
type Play = Awaited<ReturnType<typeof buildPlay>>

/** A step that the state of things refuses changes nothing. */
async function take(play: Play, one: Step): Promise<void> {
  try {
    await inStore(play.store.id, (tx) => act(tx, play, one))
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
  }
}

async function act(tx: StoreTx, { affiliate, orders, pass, dispute }: Play, one: Step): Promise<unknown> {
  const { id, lines, totalMinor } = orders['order' in one ? one.order : 0] as CapturedOrder
  const refund = (parts: Parameters<typeof requestRefund>[2]) => refundNow(tx, id, parts)
  switch (one.do) {
    case 'complete':
      return changeOrderStatus(tx, id, 'complete', 'system')
    case 'refund units':
      return refund({ items: [{ orderItemId: lines[one.line]?.id ?? '', quantity: 1 }] })
    case 'refund sum':
      return refund({ amountMinor: BigInt(one.minor) })
    case 'refund shipping':
      return refund({ shippingAmountMinor: 200n })
    case 'refund rest':
      return refund({ amountMinor: (await findOrder(tx, id)).refundableMinor })
    case 'fail a refund':
      return failRefund(tx, id)
    case 'lose a dispute':
      return decideDispute(tx, { dispute, reference: orders[0]?.reference, minor: one.minor, status: 'lost' })
    case 'win it after all':
      return decideDispute(tx, {
        dispute,
        reference: orders[0]?.reference,
        minor: Number(totalMinor),
        status: 'won',
      })
    case 'pay out':
      return payOut(tx, affiliate.id, one.minor === null ? {} : { amountMinor: BigInt(one.minor) }, {
        currency: 'EUR',
        actor: 'system',
      })
    case 'wait':
      return pass(one.days)
    case 'run jobs':
      return undefined
  }
}

/** A refund by card is settled as the worker would settle it. */
async function refundNow(tx: StoreTx, orderId: string, parts: Parameters<typeof requestRefund>[2]) {
  const { id } = await requestRefund(tx, orderId, parts, requester('system'))
  await settleRefund(tx, id, { status: 'succeeded', reference: `re_${id}`, failureReason: null })
}

async function failRefund(tx: StoreTx, orderId: string): Promise<void> {
  const found = await Refund.in(tx)
    .where({ order_id: orderId, status: 'succeeded', origin: 'store' })
    .whereNotNull('payment_id')
    .orderBy('id', 'desc')
    .first()
  if (found) await settleRefund(tx, found.id, { status: 'failed', reference: null, failureReason: 'bounced' })
}

interface Decided {
  dispute: string
  reference: string | null | undefined
  minor: number
  status: 'lost' | 'won'
}

async function decideDispute(tx: StoreTx, { dispute, reference, minor, status }: Decided): Promise<void> {
  const version = await readDisputeVersion(tx, dispute)
  if (version === null && status === 'won') return
  const facts = {
    provider: 'stripe',
    reference: dispute,
    paymentReference: reference ?? '',
    reason: 'fraudulent',
  }
  const amount = { amountMinor: BigInt(minor), currency: 'EUR', respondBy: null, openedAt: now() }
  await recordDispute(tx, { ...facts, ...amount, status }, version)
}

async function assertLedger({ store, affiliate, orders }: Play): Promise<void> {
  const { rows } = await superuser.query<{ kind: string; minor: string; order_id: string | null }>(
    'select kind, amount_minor as minor, order_id from commission_entries where affiliate_id = $1 order by number',
    [affiliate.id],
  )
  const sumOf = (those: typeof rows) => those.reduce((total, { minor }) => total + BigInt(minor), 0n)
  await inStore(store.id, async (tx) => {
    const balance = (await readBalances(tx, [affiliate.id]))(affiliate.id)
    assert.equal(balance.pendingMinor + balance.payableMinor, sumOf(rows))
    assert.equal(balance.paidMinor, -sumOf(rows.filter(({ kind }) => kind === 'paid')))
    for (const { id } of orders) {
      const commission = await findCommission(tx, id)
      const { status, refundableMinor } = await findOrder(tx, id)
      const netMinor = sumOf(rows.filter(({ order_id }) => order_id === id))
      assert.ok(netMinor >= 0n && netMinor <= (commission?.amountMinor ?? 0n))
      assert.equal(netMinor, (commission?.amountMinor ?? 0n) - (commission?.reversedMinor ?? 0n))
      if (status === 'complete') assert.ok(commission)
      if (refundableMinor === 0n) assert.equal(netMinor, 0n)
    }
  })
}

test('the ledger adds up to the balance after any history', { timeout: 120_000 }, async () => {
  const history = fc.record({
    basisPoints: fc.integer({ min: 0, max: 10_000 }),
    steps: fc.array(step, { minLength: 4, maxLength: 14 }),
  })
  await fc.assert(
    fc.asyncProperty(history, async ({ basisPoints, steps }) => {
      const play = await buildPlay(basisPoints)
      for (const one of steps) {
        await take(play, one)
        if (one.do === 'run jobs' || one.do === 'wait') await drainJobs()
      }
      await drainJobs()
      await assertLedger(play)
    }),
    { numRuns: Number(process.env.HISTORIES ?? 12) },
  )
})

testBooks()
