import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { openDispute } from '#test/sandbox/gateway/disputes.ts'
import { bounceRefund, settleRefund } from '#test/sandbox/gateway/refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, checkOut, confirm, fillCart, referenceOf } from '#test/support/builders/place-orders.ts'
import { buildVoucher, readVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

const GIFT = {
  amount: 20,
  from_name: 'Ada',
  from_email: 'ada@example.test',
  to_name: 'Grace',
  to_email: 'grace@example.test',
}

/** An order of units at 10.00 and shipping of 5.00, paid by a voucher and for the rest by card. */
async function paidByBoth({
  quantity = 2,
  voucherMinor,
  gift,
  card,
}: {
  quantity?: number
  card?: string
  voucherMinor: bigint
  gift?: typeof GIFT
}) {
  const shop = await buildShop()
  const { store } = shop
  const voucher = await buildVoucher(store, { amountMinor: voucherMinor })
  const cart = await fillCart(store, shop.variantId, quantity)
  if (gift) await request('POST /cart/items', { store, cart, body: { voucher: gift } })
  const { data } = await checkOut(shop, { cart, body: { voucher_code: voucher.code } })
  await drainJobs()
  const reference = await referenceOf(store, data.payment.id)
  await notify('payment_intent.succeeded', await confirm(reference, card))
  const { token } = await buildStaff(store, { role: 'owner' })
  const { id } = data.order
  const read = async () => (await request(`GET /admin/orders/${id}`, { token })).data
  const [goods, giftLine] = (await read()).items
  const refund = async (body: object) => {
    const answered = await request(`POST /admin/orders/${id}/refunds`, {
      token,
      headers: { Prefer: 'respond-async' },
      key: randomUUID(),
      body: { reason: 'Damaged', ...body },
    })
    await drainJobs()
    return answered.error_code ?? answered.data.amount
  }
  return {
    store,
    read,
    refund,
    ofGoods: (units: number) => ({ items: [{ order_item_id: goods.id, quantity: units }] }),
    ofGift: { items: [{ order_item_id: giftLine?.id, quantity: 1 }] },
    /** The pending refund at the gateway succeeds. */
    async succeed() {
      const pending = gateway
        .ledger()
        .refunds.find((one) => one.payment_intent === reference && one.status === 'pending')
      await notify(
        'refund.updated',
        gateway.change((context) => settleRefund(context, pending?.id ?? '', 'succeeded')),
      )
    },
    /** The bank decides about a dispute of the whole payment by card. */
    async dispute(status: 'lost' | 'won') {
      const disputed = gateway.change((context) => {
        const known = context.books.all('disputes').find((one) => one.payment_intent === reference)
        const dispute = known ?? openDispute(context, { payment_intent: reference })
        return context.books.put('disputes', { ...dispute, status })
      })
      await notify('charge.dispute.closed', disputed)
    },
    async bounce() {
      const made = gateway.ledger().refunds.findLast((one) => one.payment_intent === reference)
      const failed = gateway.change((context) => bounceRefund(context, made?.id ?? ''))
      await notify('refund.failed', failed)
    },
    async all() {
      const { status, amount_refunded } = await read()
      const { remainingMinor } = await readVoucher(store, voucher.id)
      const sent = gateway
        .ledger()
        .refunds.filter((one) => one.payment_intent === reference && one.status === 'succeeded')
        .reduce((sum, { amount }) => sum + amount, 0)
      return { status, amount_refunded, remainingMinor, sent }
    },
  }
}

test('units of a bounced refund are refunded at what the voucher has not paid back', async () => {
  const { refund, ofGoods, bounce, all } = await paidByBoth({ voucherMinor: 800n })
  assert.equal(await refund({ ...ofGoods(2), shipping_amount: 5 }), 25)
  await bounce()
  assert.deepEqual(await all(), { status: 'refunded', amount_refunded: 8, remainingMinor: 800n, sent: 0 })

  const again = [await refund(ofGoods(1)), await refund(ofGoods(1)), await refund({ shipping_amount: 5 })]

  assert.deepEqual(again, [2, 10, 5])
  assert.deepEqual(await all(), {
    status: 'refunded',
    amount_refunded: 25,
    remainingMinor: 800n,
    sent: 1_700,
  })
})

test('shipping of a bounced refund is refunded at what the voucher has not paid back', async () => {
  const { refund, ofGoods, bounce, all } = await paidByBoth({ voucherMinor: 2_200n })
  assert.equal(await refund({ ...ofGoods(2), shipping_amount: 5 }), 25)
  await bounce()

  const refused = await refund({ ...ofGoods(2), shipping_amount: 5 })
  const again = await refund({ ...ofGoods(2), shipping_amount: 3 })

  assert.deepEqual({ refused, again }, { refused: 'refund.exceeds_paid', again: 3 })
  assert.deepEqual(await all(), {
    status: 'refunded',
    amount_refunded: 25,
    remainingMinor: 2_200n,
    sent: 300,
  })
})

test('a refund that bounces twice leaves its voucher part counted once', async () => {
  const { refund, ofGoods, bounce, all } = await paidByBoth({ voucherMinor: 800n })
  assert.equal(await refund({ ...ofGoods(2), shipping_amount: 5 }), 25)
  await bounce()
  assert.equal(await refund({ ...ofGoods(2), shipping_amount: 5 }), 17)
  await bounce()

  assert.equal(await refund({ ...ofGoods(2), shipping_amount: 5 }), 17)
  assert.deepEqual(await all(), {
    status: 'refunded',
    amount_refunded: 25,
    remainingMinor: 800n,
    sent: 1_700,
  })
})

test('a bought voucher gets back only the part of its price that bounced', async () => {
  const { store, refund, ofGift, bounce, all } = await paidByBoth({
    quantity: 1,
    voucherMinor: 2_500n,
    gift: GIFT,
  })
  const bought = async () => {
    const lineId = ofGift.items[0]?.order_item_id
    const { remainingMinor, isActive } = await inStore(store.id, (tx) =>
      Voucher.in(tx).findOne('order_item_id', lineId).throwIfNotFound(),
    )
    return { remainingMinor, isActive }
  }
  // Vouchers pay goods only: this leaves too little of the card's payment for the price of the bought one.
  assert.equal(await refund({ amount: 10 }), 10)
  assert.equal(await refund(ofGift), 20)
  assert.deepEqual(await bought(), { remainingMinor: 0n, isActive: false })
  await bounce()
  assert.deepEqual(await bought(), { remainingMinor: 1_000n, isActive: true })

  const again = [await refund(ofGift), await refund({ amount: 5 })]

  assert.deepEqual(again, [10, 5])
  assert.deepEqual(await bought(), { remainingMinor: 0n, isActive: false })
  assert.deepEqual(await all(), {
    status: 'refunded',
    amount_refunded: 35,
    remainingMinor: 2_500n,
    sent: 2_000,
  })
})

test("a bounced refund's remainder on the voucher beyond a lost dispute is refunded once the dispute is won", async () => {
  const { read, refund, succeed, dispute, bounce, all } = await paidByBoth({
    voucherMinor: 800n,
    card: 'pm_card_pendingRefund',
  })
  assert.equal(await refund({ amount: 5 }), 5)
  await succeed()
  assert.equal(await refund({ amount: 20 }), 20)
  await dispute('lost')
  await succeed()

  await bounce()
  const lost = await read()
  await dispute('won')
  const won = await read()

  assert.deepEqual({ lost: lost.amount_refunded, won: won.amount_refunded }, { lost: 25, won: 13 })
  assert.equal((await all()).remainingMinor, 800n)
  assert.equal(await refund({ amount: 13 }), 'refund.exceeds_paid')
})

testBooks()
