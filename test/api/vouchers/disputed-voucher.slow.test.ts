import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { settleCommission } from '#shared/affiliates/commissions/settle-commission.ts'
import { readBalances } from '#shared/affiliates/read-balances.ts'
import { updateVoucherBlocks } from '#shared/disputes/update-voucher-blocks.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { findOrder } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { listOrderHistory } from '#shared/orders/order-step.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { refundRemainder } from '#shared/refunds/request/refund-remainder.ts'
import { recordVisit } from '#shared/visits/record-visit.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { bounceRefund, createRefund } from '#test/sandbox/gateway/refunds.ts'
import type { DisputeStatus } from '#test/sandbox/gateway/types.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildAffiliate } from '#test/support/builders/affiliates.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import {
  buildShop,
  checkOut,
  confirm,
  fillCart,
  placeCardOrder,
  referenceOf,
} from '#test/support/builders/place-orders.ts'
import { buildReceivedReturn } from '#test/support/builders/returns.ts'
import { buyWith } from '#test/support/builders/spend-vouchers.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

/** A gift voucher of 25.00 that was bought by card, and the bank of its buyer. */
async function scene() {
  const shop = await buildShop()
  const { store } = shop
  const gift = {
    to_name: 'Grace',
    to_email: 'grace@example.test',
    from_name: 'Ada',
    from_email: 'ada@example.test',
  }
  const { data: cart } = await request('POST /cart/items', {
    store,
    body: { voucher: { ...gift, amount: 25, message: '' } },
  })
  const { data } = await checkOut(shop, { cart: cart.token, body: { shipping_method_id: undefined } })
  await drainJobs()
  const orderId: string = data.order.id
  const reference = await referenceOf(store, data.payment.id)
  await notify('payment_intent.succeeded', await confirm(reference))
  const [bought] = await inStore(store.id, (tx) => Voucher.in(tx).where('order_id', orderId))
  const { token } = await buildStaff(store, { role: 'owner' })
  const dispute = async (amount = 1_000) => {
    const opened = gateway.change((context) => openDispute(context, { payment_intent: reference, amount }))
    await notify('charge.dispute.created', opened)
    return async (status: DisputeStatus) =>
      notify(
        'charge.dispute.closed',
        gateway.change((context) => changeDispute(context, opened.id, status)),
      )
  }
  const spend = async (voucher_code = bought?.code) =>
    (await buyWith(shop, { voucher_code, payment_method: 'voucher' })).error_code
  /** Pays an order of goods with the voucher. */
  const buyGoods = async (given: object = {}): Promise<string> => {
    const body = { voucher_code: bought?.code, payment_method: 'voucher', ...given }
    return (await buyWith(shop, body)).data.order.id
  }
  /** Buys goods, paid by the voucher, and another gift voucher by card. */
  const buyGoodsAndVoucher = async (given: object): Promise<string> => {
    const goods = await fillCart(store, shop.variantId)
    const item = { voucher: { ...gift, amount: 300, message: '' } }
    assert.equal((await request('POST /cart/items', { store, cart: goods, body: item })).status, 201)
    const body = { voucher_code: bought?.code, ...given }
    const made = await checkOut(shop, { cart: goods, body })
    await drainJobs()
    const paying = await referenceOf(store, made.data.payment.id)
    await notify('payment_intent.succeeded', await confirm(paying))
    return made.data.order.id
  }
  const read = async (id = bought?.id) => (await request(`GET /admin/vouchers/${id}`, { token })).data
  /** Reserves the rest of the voucher for an order whose other part waits for a card. Returns how it ends. */
  const reserveRest = async () => {
    const { data: made } = await buyWith(shop, { voucher_code: bought?.code })
    await drainJobs()
    const { id, access_token } = made.order
    const paying = await referenceOf(store, made.payment.id)
    return {
      cancel: async () =>
        assert.equal(
          (await request(`POST /orders/${id}/cancel?access_token=${access_token}`, { store })).status,
          200,
        ),
      pay: async () => notify('payment_intent.succeeded', await confirm(paying)),
    }
  }
  return {
    store,
    orderId,
    reference,
    code: bought?.code ?? '',
    token,
    dispute,
    spend,
    buyGoods,
    buyGoodsAndVoucher,
    reserveRest,
    read,
  }
}

test('a voucher whose purchase is disputed cannot be spent until the dispute is won', async () => {
  const { store, code, dispute, spend, read } = await scene()
  const bankDecides = await dispute()

  const held = await spend()
  const balance = await request(`GET /vouchers/${code}`, { store })
  const during = await read()
  await bankDecides('won')

  assert.deepEqual(
    { held, balance: balance.error_code },
    { held: 'voucher.inactive', balance: 'voucher.not_found' },
  )
  assert.partialDeepStrictEqual(during, { is_active: true, is_disputed: true, amount_remaining: 25 })
  assert.partialDeepStrictEqual(await read(), { is_disputed: false })
  assert.equal(await spend(), null)
})

test('goods that a disputed voucher pays for do not ship until the dispute is won, and its history says so', async () => {
  const { store, token, dispute, buyGoods } = await scene()
  const orderId = await buyGoods()
  const ship = () => request(`POST /admin/orders/${orderId}/shipments`, { token, body: {} })
  const bankDecides = await dispute()

  const held = await ship()
  await bankDecides('won')
  const after = await ship()

  assert.partialDeepStrictEqual(held, { status: 409, error_code: 'order.disputed' })
  assert.match(held.error ?? '', /^The payment of the gift voucher that pays this order is disputed/)
  assert.equal(after.status, 201)
  const history = await inStore(store.id, (tx) => listOrderHistory(tx, orderId))
  const notes = history.filter(({ actor }) => actor === 'gateway').map(({ note }) => note)
  assert.deepEqual(notes, [
    'The payment of the gift voucher is disputed at the bank',
    'The dispute about the gift voucher is won',
  ])
})

test('goods that a voucher pays for do not ship once the whole price of the voucher is lost', async () => {
  const { store, token, dispute, buyGoods, read } = await scene()
  const orderId = await buyGoods()
  const ship = () => request(`POST /admin/orders/${orderId}/shipments`, { token, body: {} })
  const bankDecides = await dispute(2_500)

  await bankDecides('lost')
  const held = await ship()
  const completed = await request(`PATCH /admin/orders/${orderId}`, { token, body: { status: 'complete' } })
  const { totalMinor } = await inStore(store.id, (tx) => findOrder(tx, orderId))
  const refund = await request(`POST /admin/orders/${orderId}/refunds`, {
    token,
    key: randomUUID(),
    body: { amount: Number(totalMinor) / 100 },
  })

  const PAID_BACK = { status: 409, error_code: 'order.voucher_paid_back' }
  assert.partialDeepStrictEqual([held, completed], [PAID_BACK, PAID_BACK])
  assert.equal(refund.status, 201, refund.error ?? '')
  assert.partialDeepStrictEqual(await read(), { amount_remaining: 0 })
})

for (const [action, step] of [
  ['credit', 'refund'],
  ['replacement', 'replace'],
] as const)
  test(`a return of goods has no ${action} once the price of the voucher that paid them is lost`, async () => {
    const { token, dispute, buyGoods } = await scene()
    const staff = (line: string, body: object) => request(line, { token, key: randomUUID(), body })
    const orderId = await buyGoods()
    await request(`PATCH /admin/orders/${orderId}`, { token, body: { status: 'complete' } })
    const { data: order } = await request(`GET /admin/orders/${orderId}`, { token })
    const items = [{ order_item_id: order.items[0].id, quantity: 1, reason: 'unwanted' }]
    const { data: rma } = await staff('POST /admin/returns', { order_id: orderId, action, items })
    await staff(`POST /admin/returns/${rma.id}/approve`, {})
    const received = [{ id: rma.items[0].id, quantity: 1, disposition: 'restocked' }]
    await staff(`POST /admin/returns/${rma.id}/receive`, { items: received })
    const bankDecides = await dispute(2_500)
    await bankDecides('lost')

    const refused = await staff(`POST /admin/returns/${rma.id}/${step}`, {})

    assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'order.voucher_paid_back' })
  })

/** An affiliate whose link led to an order of 15.00 that the voucher paid, a month after its completion. */
async function affiliateScene({ buysVoucher = false } = {}) {
  const scenery = await scene()
  const { store, token, buyGoods, buyGoodsAndVoucher } = scenery
  const affiliate = await buildAffiliate(store, { commissionBasisPoints: 1_000 })
  await recordVisit({ id: store.id, timeZone: 'Europe/Berlin' }, affiliate.code, {
    visitorId: 'grace',
    ip: '',
    userAgent: '',
  })
  const orderId = await (buysVoucher ? buyGoodsAndVoucher : buyGoods)({ visitor_id: 'grace' })
  await request(`PATCH /admin/orders/${orderId}`, { token, body: { status: 'complete' } })
  await drainJobs()
  moveClock(31 * DAY_MS)
  const balance = async () => {
    await drainJobs()
    const { pendingMinor, payableMinor } = (
      await inStore(store.id, (tx) => readBalances(tx, [affiliate.id]))
    )(affiliate.id)
    return { pendingMinor, payableMinor }
  }
  const { token: fresh } = await buildStaff(store, { role: 'administrator' })
  return { ...scenery, token: fresh, orderId, balance }
}

test('a commission is not payable while the voucher that paid its order is disputed', async () => {
  const { dispute, balance } = await affiliateScene()
  assert.deepEqual(await balance(), { pendingMinor: 0n, payableMinor: 100n })

  const bankDecides = await dispute()
  const during = await balance()
  await bankDecides('won')

  assert.deepEqual(during, { pendingMinor: 100n, payableMinor: 0n })
  assert.deepEqual(await balance(), { pendingMinor: 0n, payableMinor: 100n })
})

for (const [amount, payableMinor] of [
  [2_500, 0n],
  [1_750, 50n],
  [1_000, 100n],
] as const)
  test(`a lost dispute about ${amount} of 2500 for a voucher of which 1500 are spent leaves ${payableMinor} of 100 of a commission`, async () => {
    const { dispute, balance } = await affiliateScene()

    const bankDecides = await dispute(amount)
    await bankDecides('lost')

    assert.deepEqual(await balance(), { pendingMinor: 0n, payableMinor })
  })

test('a lost voucher that paid for goods reverses their whole commission, also if the order bought another voucher', async () => {
  const { dispute, balance } = await affiliateScene({ buysVoucher: true })
  const before = await balance()

  const bankDecides = await dispute(2_500)
  await bankDecides('lost')

  assert.deepEqual(before, { pendingMinor: 0n, payableMinor: 100n })
  assert.deepEqual(await balance(), { pendingMinor: 0n, payableMinor: 0n })
})

test('a canceled order that gives a lost voucher its price back restores the commission of another order', async () => {
  const { dispute, reserveRest, balance } = await affiliateScene()
  const other = await reserveRest()
  const bankDecides = await dispute(1_000)
  await bankDecides('lost')
  const lost = await balance()

  await other.cancel()

  assert.deepEqual(lost, { pendingMinor: 0n, payableMinor: 60n })
  assert.deepEqual(await balance(), { pendingMinor: 0n, payableMinor: 100n })
})

test('the part of a lost price that an order bears stays the same when another order of the voucher is paid', async () => {
  const { store, orderId, dispute, reserveRest, balance } = await affiliateScene()
  const other = await reserveRest()
  const bankDecides = await dispute(1_000)
  await bankDecides('lost')
  await balance()

  await other.pay()
  await inStore(store.id, (tx) => settleCommission(tx, orderId))

  assert.deepEqual(await balance(), { pendingMinor: 0n, payableMinor: 60n })
})

test('a refund to the voucher that covers its lost price reverses no more of the commission', async () => {
  const { token, orderId, dispute, balance } = await affiliateScene()
  const bankDecides = await dispute(1_750)
  await bankDecides('lost')
  const lost = await balance()

  const refund = await request(`POST /admin/orders/${orderId}/refunds`, {
    token,
    key: randomUUID(),
    body: { amount: 6 },
  })

  assert.equal(refund.status, 201, refund.error ?? '')
  assert.deepEqual(lost, { pendingMinor: 0n, payableMinor: 50n })
  assert.deepEqual(await balance(), lost)
})

/** A credit of 15.00 for returned goods that the voucher paid. */
async function creditScene() {
  const scenery = await scene()
  const { store, token, buyGoods } = scenery
  const staff = (line: string, body: object) => request(line, { token, key: randomUUID(), body })
  const orderId = await buyGoods()
  await request(`PATCH /admin/orders/${orderId}`, { token, body: { status: 'complete' } })
  const { data: order } = await request(`GET /admin/orders/${orderId}`, { token })
  const items = [{ order_item_id: order.items[0].id, quantity: 1, reason: 'unwanted' }]
  const { data: rma } = await staff('POST /admin/returns', { order_id: orderId, action: 'credit', items })
  await staff(`POST /admin/returns/${rma.id}/approve`, {})
  const received = [{ id: rma.items[0].id, quantity: 1, disposition: 'restocked' }]
  await staff(`POST /admin/returns/${rma.id}/receive`, { items: received })
  const refund = await staff(`POST /admin/returns/${rma.id}/refund`, { shipping_amount: 5 })
  assert.equal(refund.status, 201, refund.error ?? '')
  const [credit] = await inStore(store.id, (tx) => Voucher.in(tx).where('order_id', orderId))
  return { ...scenery, credit: credit?.code }
}

test('a credit for goods that a disputed voucher paid for cannot be spent until the dispute is won', async () => {
  const { dispute, spend, credit } = await creditScene()
  const bankDecides = await dispute()

  const held = await spend(credit)
  await bankDecides('won')

  assert.equal(held, 'voucher.inactive')
  assert.equal(await spend(credit), null)
})

test('a credit for goods of a lost voucher can be spent once a canceled order gives the voucher its price back', async () => {
  const { dispute, reserveRest, spend, credit } = await creditScene()
  const other = await reserveRest()
  const bankDecides = await dispute(1_000)
  await bankDecides('lost')
  const held = await spend(credit)

  await other.cancel()
  await drainJobs()

  assert.equal(held, 'voucher.inactive')
  assert.equal(await spend(credit), null)
})

test('a credit for goods is blocked when the spent price of their voucher is refunded at the gateway', async () => {
  const { reference, spend, credit } = await creditScene()

  const made = gateway.change((context) =>
    createRefund(context, { payment_intent: reference, amount: '2500' }),
  )
  await notify('refund.created', made)
  await drainJobs()

  assert.equal(await spend(credit), 'voucher.inactive')
})

test('a voucher that staff made one of the order that it pays is blocked once', async () => {
  const shop = await buildShop()
  const { id, code } = await buildVoucher(shop.store)
  const { data } = await buyWith(shop, { voucher_code: code, payment_method: 'voucher' })
  await inStore(shop.store.id, (tx) => Voucher.in(tx).findById(id).patch({ orderId: data.order.id }))

  await inStore(shop.store.id, (tx) => updateVoucherBlocks(tx, data.order.id))

  const voucher = await inStore(shop.store.id, (tx) => Voucher.in(tx).findById(id))
  assert.equal(voucher?.isDisputed, false)
})

test('a voucher of two disputes cannot be spent until both are closed', async () => {
  const { dispute, spend } = await scene()
  const [first, second] = [await dispute(), await dispute()]

  await first('won')
  const afterFirst = await spend()
  await second('won')

  assert.deepEqual(
    { afterFirst, afterSecond: await spend() },
    { afterFirst: 'voucher.inactive', afterSecond: null },
  )
})

test('a voucher whose purchase was disputed and lost has what the bank left of its price', async () => {
  const { dispute, read } = await scene()
  const bankDecides = await dispute()

  await bankDecides('lost')

  assert.partialDeepStrictEqual(await read(), { is_disputed: false, is_active: true, amount_remaining: 15 })
})

test('a voucher that was issued for a disputed order can be spent when staff separate it from the order', async () => {
  const { store, orderId, token, dispute, spend, read } = await scene()
  const { id, code } = await buildVoucher(store, { orderId })
  await dispute()

  const held = await spend(code)
  await request(`PATCH /admin/vouchers/${id}`, { token, body: { order_id: null } })

  assert.partialDeepStrictEqual(await read(id), { is_disputed: false })
  assert.deepEqual({ held, separated: await spend(code) }, { held: 'voucher.inactive', separated: null })
})

test('staff without the right to refund separate no held voucher from its order', async () => {
  const { store, orderId, dispute, spend, read } = await scene()
  const { id, code } = await buildVoucher(store, { orderId })
  const other = await buildOrder(store)
  const { token } = await buildStaff(store, { role: 'sales' })
  await dispute()

  const refusals = []
  for (const order_id of [null, other.id])
    refusals.push((await request(`PATCH /admin/vouchers/${id}`, { token, body: { order_id } })).error_code)
  const same = await request(`PATCH /admin/vouchers/${id}`, { token, body: { order_id: orderId } })

  assert.deepEqual(refusals, ['order.refund_forbidden', 'order.refund_forbidden'])
  assert.equal(same.status, 200)
  assert.partialDeepStrictEqual(await read(id), { is_disputed: true, order_id: orderId })
  assert.equal(await spend(code), 'voucher.inactive')
})

test('a voucher that staff without the right to refund tried to separate before the dispute is blocked', async () => {
  const { store, orderId, token: owner, dispute, spend, read } = await scene()
  const { id, code } = await buildVoucher(store, { orderId })
  const free = await buildVoucher(store)
  const other = await buildOrder(store)
  const { token } = await buildStaff(store, { role: 'sales' })
  const change = async (voucherId: string, order_id: string | null, by = token) =>
    (await request(`PATCH /admin/vouchers/${voucherId}`, { token: by, body: { order_id } })).error_code

  const refusals = [await change(id, null), await change(id, other.id), await change(free.id, orderId)]
  const unchanged = [await change(id, orderId), await change(free.id, null)]
  await dispute()

  assert.deepEqual(refusals, Array(3).fill('order.refund_forbidden'))
  assert.deepEqual(unchanged, [null, null])
  assert.partialDeepStrictEqual(await read(id), { is_disputed: true, order_id: orderId })
  assert.equal(await spend(code), 'voucher.inactive')
  assert.equal(await change(free.id, orderId, owner), null)
})

/** An order of 25.00 whose buyer returned a unit of 10.00 and got a voucher for it. */
async function creditedScene() {
  const shop = await buildShop()
  const { store } = shop
  const { id: orderId, reference } = await placeCardOrder(shop, 2)
  await notify('payment_intent.succeeded', await confirm(reference))
  await inStore(store.id, (tx) => changeOrderStatus(tx, orderId, 'shipped', 'system'))
  const [line] = await inStore(store.id, (tx) => OrderItem.in(tx).where('order_id', orderId))
  const lines = [{ id: line?.id ?? '', variantId: shop.variantId, quantity: 2 }]
  const returned = await buildReceivedReturn(store, { id: orderId, lines }, { action: 'credit' })
  const { token } = await buildStaff(store, { role: 'owner' })
  const body = {}
  const { data } = await request(`POST /admin/returns/${returned.id}/refund`, { token, key: newId(), body })
  const path = `/admin/vouchers/${data.voucher_id}`
  const { code } = (await request(`GET ${path}`, { token })).data
  return {
    store,
    orderId,
    reference,
    read: async () => (await request(`GET ${path}`, { token })).data,
    separate: () => request(`PATCH ${path}`, { token, body: { order_id: null } }),
    spend: async () => (await buyWith(shop, { voucher_code: code })).error_code,
  }
}

test('a voucher that credits a return stays blocked if the bank has also paid the buyer', async () => {
  const { reference, read, separate, spend } = await creditedScene()
  const opened = gateway.change((context) =>
    openDispute(context, { payment_intent: reference, amount: 2_000 }),
  )
  await notify('charge.dispute.created', opened)

  const lost = gateway.change((context) => changeDispute(context, opened.id, 'lost'))
  await notify('charge.dispute.closed', lost)
  const afterLoss = { ...(await read()), spent: await spend() }
  await separate()

  assert.partialDeepStrictEqual(afterLoss, {
    is_disputed: true,
    amount_remaining: 10,
    spent: 'voucher.inactive',
  })
  assert.partialDeepStrictEqual(await read(), { is_disputed: false })
  assert.equal(await spend(), null)
})

test('a voucher for a return can be spent again when a failed refund makes room for the lost dispute', async () => {
  const { store, orderId, reference, read } = await creditedScene()
  await inStore(store.id, (tx) => refundRemainder(tx, orderId, 'staff:1'))
  await drainJobs()
  const opened = gateway.change((context) =>
    openDispute(context, { payment_intent: reference, amount: 1_500 }),
  )
  await notify('charge.dispute.created', opened)
  await notify(
    'charge.dispute.closed',
    gateway.change((context) => changeDispute(context, opened.id, 'lost')),
  )
  const afterLoss = await read()

  const made = gateway.ledger().refunds.find(({ payment_intent }) => payment_intent === reference)
  await notify(
    'refund.failed',
    gateway.change((context) => bounceRefund(context, made?.id ?? '')),
  )

  assert.partialDeepStrictEqual(afterLoss, { is_disputed: true })
  assert.partialDeepStrictEqual(await read(), { is_disputed: false, amount_remaining: 10 })
})

testBooks()
