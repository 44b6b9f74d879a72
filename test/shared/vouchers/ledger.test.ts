import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { codeKey, newCode } from '#shared/vouchers/codes/code.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { errorCodeOf } from '#test/support/books/observe-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTheme, buildVoucher, ledgerOf, readVoucher } from '#test/support/builders/vouchers.ts'
import { barrier } from '#test/support/races/barrier.ts'

test('issuing a voucher sets its balance, inserts the first entry and emits one event', async () => {
  const store = await buildStore()

  const { id } = await buildVoucher(store, { amountMinor: 2_550n })

  const { remainingMinor, isActive } = await readVoucher(store, id)
  assert.deepEqual({ remainingMinor, isActive }, { remainingMinor: 2_550n, isActive: true })
  assert.deepEqual(await ledgerOf(store, id), ['issue 2550'])
  const events = await inStore(store.id, (tx) => tx.knex('events').where('type', 'voucher.issued'))
  assert.deepEqual(
    events.map(({ data }) => ({ id: data.id, amount: data.amount, amount_remaining: data.amount_remaining })),
    [{ id, amount: 25.5, amount_remaining: 25.5 }],
  )
})

test('entries change the amounts by their kind, and never below zero', async () => {
  const store = await buildStore()
  const { id: voucherId } = await buildVoucher(store, { amountMinor: 1_000n })
  const book = (kind: Parameters<typeof bookVoucherEntry>[1]['kind'], amountMinor: bigint) =>
    inStore(store.id, (tx) => bookVoucherEntry(tx, { voucherId, kind, amountMinor }))

  assert.equal(await book('reserve', 700n), 300n)
  assert.equal(await book('reserve', 301n), undefined)
  assert.equal(await book('capture', 701n), undefined)
  assert.equal(await book('capture', 400n), 300n)
  assert.equal(await book('release', 301n), undefined)
  assert.equal(await book('release', 300n), 600n)
  assert.equal(await book('refund', 401n), undefined)
  assert.equal(await book('refund', 100n), 700n)
  assert.equal(await book('adjust', -701n), undefined)
  assert.equal(await book('adjust', -700n), 0n)

  const { amountMinor, reservedMinor, spentMinor } = await readVoucher(store, voucherId)
  assert.deepEqual(
    { amountMinor, reservedMinor, spentMinor },
    { amountMinor: 300n, reservedMinor: 0n, spentMinor: 300n },
  )
})

test('check constraints prevent an overdrawn voucher', async () => {
  const store = await buildStore()
  const { id } = await buildVoucher(store)

  for (const overdrawn of [
    { spentMinor: 5_001n },
    { reservedMinor: -1n },
    { reservedMinor: 3_000n, spentMinor: 2_001n },
  ])
    await assert.rejects(
      inStore(store.id, (tx) => Voucher.in(tx).findById(id).patch(overdrawn)),
      /check/,
    )
})

test('50 concurrent reservations never exceed the balance; control: reading before writing overdraws', async () => {
  const store = await buildStore()
  const [{ id: voucherId }, naive] = [await buildVoucher(store), await buildVoucher(store)]
  const reserve = () =>
    inStore(store.id, (tx) => bookVoucherEntry(tx, { voucherId, kind: 'reserve', amountMinor: 300n }))

  const balances = await Promise.all(Array.from({ length: 50 }, reserve))

  assert.equal(balances.filter((balance) => balance !== undefined).length, 16)
  assert.equal((await readVoucher(store, voucherId)).remainingMinor, 200n)
  assert.ok((await reserveNaively(store, naive.id, 3_000n)) > 5_000n)
})

/** The control: looks at the balance, then writes what it worked out. Returns what five buyers were promised. */
async function reserveNaively(store: { id: string }, id: string, amountMinor: bigint): Promise<bigint> {
  const meet = barrier(5)
  const promised = await Promise.all(
    Array.from({ length: 5 }, () =>
      inStore(store.id, async (tx) => {
        const { remainingMinor, reservedMinor } = await Voucher.in(tx).findById(id).throwIfNotFound()
        await meet()
        if (remainingMinor < amountMinor) return 0n
        await Voucher.in(tx)
          .findById(id)
          .patch({ reservedMinor: reservedMinor + amountMinor })
        return amountMinor
      }),
    ),
  )
  return promised.reduce((all, one) => all + one, 0n)
}

test('codes are compared without case, dashes and spaces, and are unique in a store', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  await buildVoucher(store, { code: 'Welcome-2026' })

  assert.equal(codeKey(' welcome — 20 26 '), codeKey('WELCOME-2026'))
  assert.equal(await errorCodeOf(buildVoucher(store, { code: 'WEL COME 2026' })), 'voucher.code_taken')
  assert.equal(await errorCodeOf(buildVoucher(other, { code: 'welcome2026' })), null)
})

test('generated codes are long, without letters and digits that look alike', () => {
  const codes = Array.from({ length: 500 }, newCode)

  assert.equal(new Set(codes).size, 500)
  for (const code of codes) assert.match(code, /^([2-9A-HJKMNP-TV-Z]{4}-){3}[2-9A-HJKMNP-TV-Z]{4}$/)
})

test('a theme or an order of another store is rejected', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const theme = await buildTheme(store)

  assert.equal((await buildVoucher(store, { voucherThemeId: theme.id })).voucherThemeId, theme.id)
  assert.equal(await errorCodeOf(buildVoucher(other, { voucherThemeId: theme.id })), 'validation.failed')
  assert.equal(await errorCodeOf(buildVoucher(store, { orderId: newId() })), 'validation.failed')
})
