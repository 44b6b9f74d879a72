import assert from 'node:assert/strict'
import { test } from 'node:test'
import { superuser } from '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { bookCommissionEntry } from '#shared/affiliates/commissions/book-commission-entry.ts'
import { payOut } from '#shared/affiliates/commissions/pay-out.ts'
import { settleCommission } from '#shared/affiliates/commissions/settle-commission.ts'
import { deleteAffiliate } from '#shared/affiliates/lifecycle/delete-affiliate.ts'
import { updateAffiliate } from '#shared/affiliates/lifecycle/update-affiliate.ts'
import { readBalances } from '#shared/affiliates/read-balances.ts'
import { createCustomerAddress } from '#shared/customers/addresses/create-customer-address.ts'
import { readDisputeVersion, recordDispute } from '#shared/disputes/record-dispute.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, now } from '#shared/platform/time/clock.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { ignoreBooksOf, testBooks } from '#test/support/books/test-books.ts'
import { buildAffiliate, buildCompleteOrder } from '#test/support/builders/affiliates.ts'
import { buildCapturedOrder, type GivenOrder } from '#test/support/builders/captured-order.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const START = new Date('2026-10-01T12:00:00Z')
const onDay = (day: number) => freezeClock(new Date(START.getTime() + day * DAY_MS))
const BY = { currency: 'EUR', actor: 'staff:ada' }

async function scene(basisPoints?: number, given?: { id: string }) {
  onDay(0)
  const store = given ?? (await buildStore())
  const affiliate = await buildAffiliate(
    store,
    basisPoints === undefined ? {} : { commissionBasisPoints: basisPoints },
  )
  const within = <T>(work: (tx: StoreTx) => Promise<T>) => inStore(store.id, work)
  const complete = async (given: GivenOrder = {}) => {
    const order = await buildCompleteOrder(store, { affiliateId: affiliate.id, ...given })
    await drainJobs()
    return order
  }
  const refund = async (orderId: string, parts: Parameters<typeof requestRefund>[2]) => {
    await within((tx) => requestRefund(tx, orderId, parts, requester('system')))
    await drainJobs()
  }
  const balance = async () => {
    const { pendingMinor, payableMinor, paidMinor } = (
      await within((tx) => readBalances(tx, [affiliate.id]))
    )(affiliate.id)
    return [pendingMinor, payableMinor, paidMinor].map(Number)
  }
  const entries = async (): Promise<string[]> => {
    const { rows } = await superuser.query(
      'select kind, amount_minor from commission_entries where affiliate_id = $1 order by number',
      [affiliate.id],
    )
    return rows.map(({ kind, amount_minor }) => `${kind} ${amount_minor}`)
  }
  return { store, affiliate, within, complete, refund, balance, entries }
}

test('an order earns when it completes: a percentage of goods net of discount, tax, shipping and vouchers', async () => {
  const { store, affiliate, within, balance, entries } = await scene(1_000)
  const given = { discountMinor: 200n, taxMinor: 342n, shippingTaxMinor: 95n, voucherMinors: [5_000n] }
  const order = await buildCapturedOrder(store, { affiliateId: affiliate.id, ...given })
  await drainJobs()
  assert.deepEqual(await entries(), [])

  await within((tx) => changeOrderStatus(tx, order.id, 'complete', 'system'))
  await drainJobs()
  assert.deepEqual(await entries(), ['earned 180'])
  await within((tx) => settleCommission(tx, order.id))
  assert.deepEqual(await entries(), ['earned 180'])

  assert.deepEqual(await balance(), [180, 0, 0])
  freezeClock(new Date(START.getTime() + 30 * DAY_MS - 1))
  assert.deepEqual(await balance(), [180, 0, 0])
  onDay(30.001)
  assert.deepEqual(await balance(), [0, 180, 0])
})

test('without an own percentage an affiliate earns 5 %; a change counts for orders that complete later', async () => {
  const { affiliate, within, complete, entries } = await scene()
  await complete()
  await within((tx) =>
    updateAffiliate(
      tx,
      affiliate.id,
      { commissionBasisPoints: 1_050 },
      { staff: { id: 'staff', rights: RIGHTS } },
    ),
  )
  await complete()
  await within((tx) =>
    updateAffiliate(
      tx,
      affiliate.id,
      { commissionBasisPoints: 0 },
      { staff: { id: 'staff', rights: RIGHTS } },
    ),
  )
  await complete()

  assert.deepEqual(await entries(), ['earned 100', 'earned 210'])
})

test('refunds reverse in proportion to the goods; shipping reverses nothing; a full refund reverses all', async () => {
  const { complete, refund, entries, balance } = await scene()
  const { id, lines } = await complete({ lines: [{ priceMinor: 333n, quantity: 3 }], taxMinor: 100n })

  await refund(id, { shippingAmountMinor: 300n })
  assert.deepEqual(await entries(), ['earned 50'])
  await refund(id, { items: [{ orderItemId: lines[0]?.id ?? '', quantity: 1 }] })
  await refund(id, { items: [{ orderItemId: lines[0]?.id ?? '', quantity: 1 }] })
  assert.deepEqual(await entries(), ['earned 50', 'reversed -17', 'reversed -16'])
  await refund(id, { amountMinor: 566n })

  assert.deepEqual(await entries(), ['earned 50', 'reversed -17', 'reversed -16', 'reversed -17'])
  assert.deepEqual(await balance(), [0, 0, 0])
})

test('a refund by a sum reverses the share of the goods in the order', async () => {
  const { complete, refund, entries } = await scene()
  const { id } = await complete()

  await refund(id, { amountMinor: 500n })

  // 500 of 2,500, of which 2,000 are goods: 400 of 2,000.
  assert.deepEqual(await entries(), ['earned 100', 'reversed -20'])
})

test('an order of which staff accepted a smaller payment earns for the paid part', async () => {
  const { store, within, affiliate, balance } = await scene()
  ignoreBooksOf(store)
  const { id } = await buildCapturedOrder(store, { affiliateId: affiliate.id })
  await within((tx) => tx.knex('orders').where({ id }).update({ amount_captured_minor: 1_000n }))

  await within((tx) => changeOrderStatus(tx, id, 'complete', 'system'))
  await drainJobs()

  assert.deepEqual(await balance(), [40, 0, 0])
})

test('a refund before the order completes lowers what it earns', async () => {
  const { store, affiliate, within, refund, balance, entries } = await scene()
  const order = await buildCapturedOrder(store, { affiliateId: affiliate.id })
  await refund(order.id, { items: [{ orderItemId: order.lines[0]?.id ?? '', quantity: 1 }] })
  await within((tx) => changeOrderStatus(tx, order.id, 'complete', 'system'))
  await drainJobs()

  assert.deepEqual(await entries(), ['earned 100', 'reversed -50'])
  assert.deepEqual(await balance(), [50, 0, 0])
})

test('a refund after the payout makes the balance negative, and later commissions pay it off', async () => {
  const { affiliate, within, complete, refund, balance } = await scene()
  const { id } = await complete()
  onDay(31)
  await within((tx) => payOut(tx, affiliate.id, {}, BY))
  assert.deepEqual(await balance(), [0, 0, 100])

  await refund(id, { amountMinor: 2_500n })
  assert.deepEqual(await balance(), [0, -100, 100])
  await complete({ lines: [{ priceMinor: 3_000n, quantity: 1 }] })
  assert.deepEqual(await balance(), [150, -100, 100])
  onDay(62)
  assert.deepEqual(await balance(), [0, 50, 100])
  await within((tx) => payOut(tx, affiliate.id, { amountMinor: 20n }, BY))
  assert.deepEqual(await balance(), [0, 30, 120])
})

test('a payout takes at most the payable amount; of 20 concurrent payouts one succeeds; without the lock two succeed', async () => {
  const { affiliate, within, complete, entries } = await scene()
  await complete()
  await assert.rejects(
    within((tx) => payOut(tx, affiliate.id, {}, BY)),
    { code: 'affiliate.nothing_payable' },
  )
  onDay(30.001)
  await assert.rejects(
    within((tx) => payOut(tx, affiliate.id, { amountMinor: 101n }, BY)),
    {
      code: 'affiliate.exceeds_payable',
    },
  )

  const paid = await Promise.allSettled(
    Array.from({ length: 20 }, () => within((tx) => payOut(tx, affiliate.id, {}, BY))),
  )
  assert.equal(paid.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.deepEqual(await entries(), ['earned 100', 'paid -100'])

  // The control reads what is payable without the lock.
  const other = await scene()
  await other.complete()
  onDay(60)
  const barrier = Promise.withResolvers<void>()
  let readers = 0
  const naive = () =>
    other.within(async (tx) => {
      const { id: affiliateId } = other.affiliate
      const { payableMinor } = (await readBalances(tx, [affiliateId]))(affiliateId)
      if (++readers === 2) barrier.resolve()
      await barrier.promise
      const entry = { kind: 'paid', amountMinor: -payableMinor, orderId: null, payableAt: null } as const
      await bookCommissionEntry(tx, { affiliateId, ...entry, ...BY })
    })
  await Promise.all([naive(), naive()])
  assert.deepEqual(await other.balance(), [0, -100, 200])
})

test('a lost dispute reverses, and one that the bank revises restores', async () => {
  const { within, complete, entries, balance } = await scene()
  const { reference } = await complete({ gateway })
  const dispute = {
    provider: 'stripe',
    reference: `dp_${nextNumber()}`,
    paymentReference: reference ?? '',
    status: 'lost',
    reason: 'fraudulent',
    amountMinor: 1_250n,
    currency: 'EUR',
    respondBy: null,
    openedAt: now(),
  } as const
  await within((tx) => recordDispute(tx, dispute, null))
  await drainJobs()
  assert.deepEqual(await entries(), ['earned 100', 'reversed -50'])

  const version = now().getTime()
  await within((tx) => recordDispute(tx, { ...dispute, status: 'won' }, version))
  await drainJobs()
  assert.deepEqual(await entries(), ['earned 100', 'reversed -50', 'restored 50'])
  assert.deepEqual(await balance(), [100, 0, 0])
})

test('a commission is not payable while the payment of its order is disputed', async () => {
  const { affiliate, within, complete, balance } = await scene()
  const { reference } = await complete({ gateway })
  onDay(31)
  const dispute = {
    provider: 'stripe',
    reference: `dp_${nextNumber()}`,
    paymentReference: reference ?? '',
    reason: 'fraudulent',
    amountMinor: 1_250n,
    currency: 'EUR',
    respondBy: null,
    openedAt: now(),
  } as const
  await within((tx) => recordDispute(tx, { ...dispute, status: 'needs_response' }, null))
  const payAffiliate = () => within((tx) => payOut(tx, affiliate.id, {}, BY))

  assert.deepEqual(await balance(), [100, 0, 0])
  await assert.rejects(payAffiliate, { code: 'affiliate.nothing_payable' })

  const version = await within((tx) => readDisputeVersion(tx, dispute.reference))
  await within((tx) => recordDispute(tx, { ...dispute, status: 'won' }, version))
  await payAffiliate()
  assert.deepEqual(await balance(), [0, 0, 100])
})

test('an own order earns nothing: same customer, e-mail address in any form, or billing address', async () => {
  const { store, affiliate, within, complete, entries } = await scene()
  ignoreBooksOf(store)
  await complete({ customerId: affiliate.customer.id })

  const another = await buildCapturedOrder(store, { affiliateId: affiliate.id })
  await within((tx) =>
    tx.knex('orders').where('id', another.id).update({ email: affiliate.customer.email.toUpperCase() }),
  )
  await within((tx) => changeOrderStatus(tx, another.id, 'complete', 'system'))
  await drainJobs()
  assert.deepEqual(await entries(), [])

  // Every built order has the same billing address, which the affiliate's own order has shown.
  await complete()
  assert.deepEqual(await entries(), [])
  const { rows } = await superuser.query('select distinct refusal from commissions where affiliate_id = $1', [
    affiliate.id,
  ])
  assert.deepEqual(rows, [{ refusal: 'self_referral' }])
})

test('the address book of the affiliate is theirs too, whatever the spelling and the name', async () => {
  const { affiliate, within, complete, entries } = await scene()
  const address = {
    firstname: 'X',
    lastname: 'Y',
    address_1: 'DORSET  street 1.',
    city: '',
    postcode: 'w1u4ee',
    country: 'GB',
  }
  await within((tx) => createCustomerAddress(tx, affiliate.customer.id, address, {}))

  await complete()

  assert.deepEqual(await entries(), [])
})

test('orders of a suspended affiliate still earn; those of a deleted one do not', async () => {
  const { store, affiliate, within, complete, entries } = await scene()
  await within((tx) =>
    updateAffiliate(tx, affiliate.id, { status: 'suspended' }, { staff: { id: 'staff', rights: RIGHTS } }),
  )
  const { id } = await complete()
  assert.deepEqual(await entries(), ['earned 100'])
  await assert.rejects(
    within((tx) => deleteAffiliate(tx, affiliate.id)),
    { code: 'affiliate.has_balance' },
  )

  await within((tx) => requestRefund(tx, id, { amountMinor: 2_500n }, requester('system')))
  await drainJobs()
  await within((tx) => deleteAffiliate(tx, affiliate.id))
  await buildCompleteOrder(store, { affiliateId: affiliate.id })
  await drainJobs()
  assert.deepEqual(await entries(), ['earned 100', 'reversed -100'])
})

test('an order that is complete before it is paid earns when it is paid, and is payable 30 days later', async () => {
  const shop = await buildShop()
  const { affiliate, within, balance, entries } = await scene(undefined, shop.store)
  const cart = await fillCart(shop.store, shop.variantId, 2)
  const body = { payment_method: 'cash_on_delivery', tracking_code: affiliate.code }
  const { order } = (await checkOut(shop, { cart, body })).data
  await within((tx) => changeOrderStatus(tx, order.id, 'complete', 'system'))
  await drainJobs()
  const unpaid = await entries()

  onDay(20)
  await within((tx) => markOrderPaid(tx, order.id, 'staff:ada'))
  await drainJobs()

  assert.deepEqual(unpaid, [])
  assert.deepEqual(await entries(), ['earned 100'])
  onDay(49)
  assert.deepEqual(await balance(), [100, 0, 0])
  onDay(50.001)
  assert.deepEqual(await balance(), [0, 100, 0])
})

testBooks()
