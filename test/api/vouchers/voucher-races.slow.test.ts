import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { renewHold } from '#shared/orders/stock/hold.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { restoreReservation } from '#shared/vouchers/redemptions/reserve-voucher.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, checkOut, confirm, fillCart } from '#test/support/builders/place-orders.ts'
import { buyByBoth } from '#test/support/builders/spend-vouchers.ts'
import { buildVoucher, readVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { whileRefusingWrites } from '#test/support/faults/refuse-writes.ts'
import { request } from '#test/support/processes/app.ts'
import { drainDueOrders, drainJobs } from '#test/support/processes/jobs.ts'
import { sendEvent } from '#test/support/processes/notify.ts'

test('one voucher pays as many of 50 concurrent checkouts as it covers', async () => {
  const shop = await buildShop(100)
  const { id, code } = await buildVoucher(shop.store, { amountMinor: 10_000n })
  const carts = await Promise.all(Array.from({ length: 50 }, () => fillCart(shop.store, shop.variantId)))

  const answers = await Promise.all(
    carts.map((cart) => checkOut(shop, { cart, body: { voucher_code: code, payment_method: 'voucher' } })),
  )

  const placed = answers.filter(({ status }) => status === 201)
  const refused = new Set(answers.filter(({ status }) => status !== 201).map(({ error_code }) => error_code))
  assert.equal(placed.length, 6)
  assert.deepEqual(refused, new Set(['voucher.insufficient_balance']))
  const { spentMinor, remainingMinor } = await readVoucher(shop.store, id)
  assert.deepEqual({ spentMinor, remainingMinor }, { spentMinor: 9_000n, remainingMinor: 1_000n })
})

test('concurrent checkouts and amount changes never overdraw a voucher', async () => {
  const shop = await buildShop(100)
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const { id, code } = await buildVoucher(shop.store, { amountMinor: 10_000n })
  const carts = await Promise.all(Array.from({ length: 25 }, () => fillCart(shop.store, shop.variantId)))

  const [checkouts, changes] = await Promise.all([
    Promise.all(
      carts.map((cart) => checkOut(shop, { cart, body: { voucher_code: code, payment_method: 'voucher' } })),
    ),
    Promise.all(
      Array.from({ length: 25 }, (_, n) =>
        request(`PATCH /admin/vouchers/${id}`, { token, body: { amount: 20 + n * 5 } }),
      ),
    ),
  ])

  for (const { status } of changes) assert.ok([200, 409].includes(status))
  const placed = checkouts.filter(({ status }) => status === 201).length
  assert.equal((await readVoucher(shop.store, id)).spentMinor, BigInt(placed) * 1_500n)
})

test('exactly one of a concurrent cancellation and capture gets the voucher', async () => {
  const races: Awaited<ReturnType<typeof buyByBoth>>[] = []
  for (let n = 0; n < 5; n++) races.push(await buyByBoth())

  await Promise.all(races.flatMap(({ cancel, paid }) => [cancel(), paid()]))
  await drainJobs()

  for (const { order, voucher, ledger } of races) {
    const { status, amountCapturedMinor, amountRefundedMinor } = await order()
    const { spentMinor, reservedMinor } = await voucher()
    const ends = (await ledger()).slice(2)
    if (status === 'processing') {
      assert.deepEqual(
        { amountCapturedMinor, amountRefundedMinor, spentMinor },
        { amountCapturedMinor: 1_500n, amountRefundedMinor: 0n, spentMinor: 500n },
      )
      assert.deepEqual(ends, ['capture 500'])
    } else {
      assert.deepEqual(
        { amountCapturedMinor, amountRefundedMinor, spentMinor },
        { amountCapturedMinor: 0n, amountRefundedMinor: 0n, spentMinor: 0n },
      )
      assert.deepEqual(ends, ['release 500'])
    }
    assert.equal(reservedMinor, 0n)
  }
})

test('repeated concurrent captures and failures make one ledger entry', async () => {
  const [paid, failed] = [await buyByBoth(), await buyByBoth()]

  const [good, bad] = [
    await confirm(paid.reference),
    await confirm(failed.reference, 'pm_card_chargeDeclined'),
  ]

  const telling = Array.from({ length: 10 }, () => [
    sendEvent('payment_intent.succeeded', good),
    sendEvent('payment_intent.payment_failed', bad),
  ])
  await Promise.all(telling.flat())
  await Promise.all([drainDueOrders(), drainDueOrders()])
  moveClock(36 * MINUTE_MS)
  await Promise.all([drainDueOrders(), drainDueOrders()])

  assert.deepEqual(await paid.ledger(), ['issue 500', 'reserve 500', 'capture 500'])
  assert.deepEqual(await failed.ledger(), ['issue 500', 'reserve 500', 'release 500'])
})

test('50 concurrent attempts restore the reservation of an order once', async () => {
  const { store, declined, endHold, order, ledger } = await buyByBoth()
  await declined()
  await endHold()
  const { id, voucherMinor } = await order()

  // Under the order's lock, as every caller has it.
  const again = () =>
    inStore(store.id, async (tx) => {
      await tx.knex('orders').where('id', id).forNoKeyUpdate()
      await restoreReservation(tx, { id, voucherMinor })
    })
  await Promise.all(Array.from({ length: 50 }, again))

  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'release 500', 'reserve 500'])
})

test('a worker that dies during a capture or release changes nothing, and a retry completes it', async () => {
  const [paid, failed] = [await buyByBoth(), await buyByBoth()]
  await failed.declined()
  await inStore(failed.store.id, (tx) => renewHold(tx, failed.id, now()))
  await sendEvent('payment_intent.succeeded', await confirm(paid.reference))

  await whileRefusingWrites('voucher_entries', drainJobs)
  const [halfPaid, halfFailed] = [await paid.voucher(), await failed.voucher()]
  moveClock(10 * MINUTE_MS)
  await drainDueOrders()

  assert.equal(halfPaid.reservedMinor, 500n)
  assert.equal(halfFailed.reservedMinor, 500n)
  assert.equal((await paid.order()).status, 'processing')
  assert.equal((await failed.order()).status, 'failed')
  assert.deepEqual(await paid.ledger(), ['issue 500', 'reserve 500', 'capture 500'])
  assert.deepEqual(await failed.ledger(), ['issue 500', 'reserve 500', 'release 500'])
})

test('a cancellation does not release a captured voucher', async () => {
  const { paid, cancel, ledger } = await buyByBoth()
  await paid()

  const { status, error_code } = await cancel()

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'order.refund_required' })
  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'capture 500'])
})

testBooks()
