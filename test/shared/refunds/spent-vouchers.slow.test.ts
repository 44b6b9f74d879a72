import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import type { RefundRequest } from '#shared/refunds/calculate/refund-request.ts'
import { bookGatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { refundRemainder } from '#shared/refunds/request/refund-remainder.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { captureVoucher, releaseVoucher } from '#shared/vouchers/redemptions/end-reservation.ts'
import { refundToVoucher } from '#shared/vouchers/redemptions/refund-to-voucher.ts'
import { reserveVoucher } from '#shared/vouchers/redemptions/reserve-voucher.ts'
import { lockUsableVoucher } from '#shared/vouchers/usability.ts'
import type { PayingOrder } from '#shared/vouchers/voucher-redemption.ts'
import { errorCodeOf } from '#test/support/books/observe-orders.ts'
import { readOrder } from '#test/support/books/read-refunds.ts'
import { buildCapturedOrder, type GivenOrder } from '#test/support/builders/captured-order.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { ledgerOf, readVoucher } from '#test/support/builders/vouchers.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { barrier } from '#test/support/races/barrier.ts'

/** An order of goods for 20.00, shipping of 5.00 and gift vouchers, by default one of 100.00. */
async function scene(given: GivenOrder = {}) {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { voucherMinors: [10_000n], ...given })
  const [voucher = assert.fail()] = order.vouchers
  const refund = (request: RefundRequest) =>
    inStore(store.id, (tx) => requestRefund(tx, order.id, request, requester('staff:1')))
  const refundLine = (more: { override?: boolean; reason?: string } = {}) =>
    refund({ items: [{ orderItemId: voucher.lineId, quantity: 1 }], ...more })
  const refundAll = () => inStore(store.id, (tx) => refundRemainder(tx, order.id, 'staff:1'))
  const spend = (amountMinor: bigint, { code, id } = voucher) =>
    inStore(store.id, async (tx) => {
      const { remainingMinor } = await lockUsableVoucher(tx, code, 'EUR')
      const spentMinor = remainingMinor < amountMinor ? remainingMinor : amountMinor
      await bookVoucherEntry(tx, { voucherId: id, kind: 'reserve', amountMinor: spentMinor })
      return spentMinor
    })
  const read = async (index = 0) => {
    const { isActive, reservedMinor, remainingMinor } = await readVoucher(
      store,
      order.vouchers[index]?.id ?? '',
    )
    return { isActive, reservedMinor, remainingMinor }
  }
  const refundAtGateway = (amountMinor: bigint) =>
    inStore(store.id, (tx) =>
      bookGatewayRefund(tx, {
        provider: 'stripe',
        reference: 're_elsewhere',
        paymentReference: order.reference ?? '',
        status: 'succeeded',
        amountMinor,
        currency: 'EUR',
        failureReason: null,
        refundId: null,
      }),
    )
  return { store, order, voucher, refund, refundLine, refundAll, refundAtGateway, spend, read }
}

test('a refund of the line of a spent voucher pays its unspent part', async () => {
  const { store, voucher, spend, refundLine, read } = await scene()
  await spend(7_723n)

  const { amountMinor } = await refundLine()

  assert.equal(amountMinor, 2_277n)
  assert.partialDeepStrictEqual(await read(), { remainingMinor: 0n, reservedMinor: 7_723n })
  assert.deepEqual(await ledgerOf(store, voucher.id), ['issue 10000', 'reserve 7723', 'adjust -2277'])
})

test('a refund of the line of a voucher without unspent part is refused', async () => {
  const { spend, refundLine } = await scene()
  await spend(10_000n)

  const message = /: 0 EUR remains\. Refund at most 25 EUR\..*override/
  await assert.rejects(refundLine(), { code: 'refund.voucher_spent', status: 422, message })
})

test('a refund of goods and a spent voucher pays the goods, and the voucher can be refunded later', async () => {
  const { store, order, voucher, spend, refund, refundLine } = await scene()
  const spentMinor = await spend(10_000n)
  const items = [order.lines[0]?.id ?? '', voucher.lineId].map((orderItemId) => ({
    orderItemId,
    quantity: 1,
  }))

  const goods = await refund({ items })
  await inStore(store.id, (tx) =>
    bookVoucherEntry(tx, { voucherId: voucher.id, kind: 'release', amountMinor: spentMinor }),
  )
  const line = await refundLine()

  assert.deepEqual({ goods: goods.amountMinor, line: line.amountMinor }, { goods: 1_000n, line: 10_000n })
})

test('an amount that reaches into the price of a spent voucher is refused with the largest amount', async () => {
  const { order, spend, refund, refundAll, read } = await scene()
  await spend(7_723n)

  const refused = { code: 'refund.voucher_spent', message: /47\.77 EUR/ }
  await assert.rejects(refund({ amountMinor: 4_778n }), refused)
  await assert.rejects(refundAll(), refused)
  await refund({ amountMinor: 4_777n })

  assert.partialDeepStrictEqual(await read(), { remainingMinor: 0n, isActive: true })
  assert.equal(order.totalMinor, 12_500n)
})

test('units of goods whose price was refunded as an amount do not take the price of a spent voucher', async () => {
  const { order, spend, refund } = await scene()
  await spend(10_000n)
  await refund({ amountMinor: 2_500n })

  const asked = refund({ items: [{ orderItemId: order.lines[0]?.id ?? '', quantity: 1 }] })

  await assert.rejects(asked, { code: 'refund.voucher_spent' })
})

test('with override and a reason a spent voucher is refunded at its price', async () => {
  const { spend, refundLine, read } = await scene()
  await spend(7_723n)

  await assert.rejects(refundLine({ override: true }), {
    code: 'validation.failed',
    faults: [{ loc: ['reason'], msg: 'Field required', type: 'missing' }],
  })
  const { amountMinor } = await refundLine({ override: true, reason: 'Goodwill' })

  assert.equal(amountMinor, 10_000n)
  assert.partialDeepStrictEqual(await read(), { remainingMinor: 0n, reservedMinor: 7_723n, isActive: false })
})

test('a full refund with override makes the order refunded', async () => {
  const { store, order, spend, refund } = await scene()
  await spend(7_723n)

  await refund({ amountMinor: order.totalMinor, override: true, reason: 'Goodwill' })

  assert.partialDeepStrictEqual(await readOrder(store, order.id), {
    status: 'refunded',
    amountRefundedMinor: order.totalMinor,
  })
})

test('a refund of an amount takes the unspent parts of vouchers', async () => {
  const { spend, refund, read } = await scene({ voucherMinors: [5_000n, 5_000n] })
  await spend(5_000n)

  await refund({ amountMinor: 2_500n + 5_000n })

  assert.partialDeepStrictEqual(await read(0), { remainingMinor: 0n, isActive: true })
  assert.partialDeepStrictEqual(await read(1), { remainingMinor: 0n, isActive: false })
})

test('a refund made at the gateway withdraws the unspent value of vouchers', async () => {
  const vouchers = { voucherMinors: [5_000n, 5_000n] }
  const { store, order, refundAtGateway, spend, read } = await scene({ gateway, ...vouchers })
  await spend(4_000n)

  await refundAtGateway(9_500n)

  assert.equal((await readOrder(store, order.id)).amountRefundedMinor, 9_500n)
  assert.partialDeepStrictEqual(await read(0), { remainingMinor: 0n, reservedMinor: 4_000n })
  assert.equal((await read(1)).remainingMinor, 0n)
})

test('a voucher stays withdrawn when its refund fails after the gateway refunded the whole payment', async () => {
  const { store, order, voucher, refundLine, refundAtGateway, read } = await scene({ gateway })
  const { id } = await refundLine()
  await refundAtGateway(order.totalMinor)

  const failure = { status: 'failed', reference: null, failureReason: 'charge_already_refunded' } as const
  await inStore(store.id, (tx) => settleRefund(tx, id, failure))

  assert.equal((await readOrder(store, order.id)).amountRefundedMinor, 12_500n)
  assert.partialDeepStrictEqual(await read(), { remainingMinor: 0n, isActive: false })
  assert.deepEqual(await ledgerOf(store, voucher.id), [
    'issue 10000',
    'adjust -10000',
    'adjust 10000',
    'adjust -10000',
  ])
})

test('a failed refund restores the amount that it withdrew from a spent voucher', async () => {
  const { store, voucher, spend, refundLine, read } = await scene({ gateway })
  await spend(7_723n)
  const { id } = await refundLine({ override: true, reason: 'Goodwill' })
  const failure = { status: 'failed', reference: null, failureReason: 'expired_card' } as const

  for (let times = 0; times < 2; times++) await inStore(store.id, (tx) => settleRefund(tx, id, failure))

  assert.partialDeepStrictEqual(await read(), {
    remainingMinor: 2_277n,
    reservedMinor: 7_723n,
    isActive: true,
  })
  assert.deepEqual((await ledgerOf(store, voucher.id)).slice(2), ['adjust -2277', 'adjust 2277'])
})

for (const [way, giveBack] of [
  ['released', (tx, paying) => releaseVoucher(tx, paying)],
  [
    'refunded',
    async (tx, paying) => {
      await captureVoucher(tx, paying)
      await refundToVoucher(tx, paying.id, paying.voucherMinor)
    },
  ],
] satisfies [string, (tx: StoreTx, paying: PayingOrder) => Promise<void>][])
  test(`value that is ${way} to a voucher whose spent part was refunded is withdrawn`, async () => {
    const { store, voucher, refund, read } = await scene({ gateway })
    const { id } = await buildCapturedOrder(store)
    const paying = { id, voucherMinor: 7_723n }
    await inStore(store.id, (tx) =>
      reserveVoucher(tx, { orderId: id, voucherId: voucher.id, amountMinor: paying.voucherMinor }),
    )
    const made = await refund({ amountMinor: 7_500n, override: true, reason: 'Goodwill' })
    const before = await read()

    await inStore(store.id, (tx) => giveBack(tx, paying))
    const after = await read()
    const failure = { status: 'failed', reference: null, failureReason: 'expired_card' } as const
    await inStore(store.id, (tx) => settleRefund(tx, made.id, failure))

    assert.deepEqual(
      [before, after, await read()].map(({ remainingMinor }) => remainingMinor),
      [0n, 5_000n, 10_000n],
    )
  })

test('of 8 concurrent pairs of a checkout and a refund, none spends and refunds the same money', async () => {
  const scenes = await Promise.all(Array.from({ length: 8 }, () => scene()))

  const values = await Promise.all(
    scenes.map(async ({ spend, refundLine }) => {
      let spentMinor = 0n
      let refundedMinor = 0n
      const codes = await Promise.all([
        errorCodeOf(spend(7_723n).then((minor) => (spentMinor = minor))),
        errorCodeOf(refundLine().then(({ amountMinor }) => (refundedMinor = amountMinor))),
      ])
      return { codes: codes.filter(Boolean), valueMinor: spentMinor + refundedMinor }
    }),
  )

  for (const { codes, valueMinor } of values) {
    assert.ok(
      codes.every((code) => code === 'voucher.inactive' || code === 'voucher.empty'),
      codes.join(),
    )
    assert.equal(valueMinor, 10_000n)
  }
})

test('control: a refund of the price whatever was spent pays 8 vouchers twice', async () => {
  const scenes = await Promise.all(Array.from({ length: 8 }, () => scene()))

  const paid = await Promise.all(
    scenes.map(async ({ spend, refundLine }) => {
      const meet = barrier(2)
      const [spentMinor, refundedMinor] = await Promise.all([
        spend(7_723n).finally(meet),
        meet().then(async () => (await refundLine({ override: true, reason: 'Price' })).amountMinor),
      ])
      return spentMinor + refundedMinor
    }),
  )

  assert.deepEqual(paid, Array(8).fill(17_723n))
})
