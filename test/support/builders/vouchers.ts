import assert from 'node:assert/strict'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import { issueVoucher, type NewVoucher } from '#shared/vouchers/lifecycle/issue-voucher.ts'
import { EFFECT_OF_ENTRY } from '#shared/vouchers/states.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { VoucherEntry } from '#shared/vouchers/voucher-entry.ts'
import { VoucherTheme } from '#shared/vouchers/voucher-theme.ts'
import { nextNumber } from '#test/support/builders/store.ts'

/** A voucher. Default: 50.00, redeemable. */
export const buildVoucher = (store: { id: string }, given: Partial<NewVoucher> = {}): Promise<Voucher> =>
  inStore(store.id, async (tx) => {
    const { voucher } = await issueVoucher(tx, {
      amountMinor: 5_000n,
      currency: 'EUR',
      toName: 'Grace',
      toEmail: `grace-${nextNumber()}@example.test`,
      fromName: 'Ada',
      fromEmail: 'ada@example.test',
      ...given,
    })
    return voucher
  })

/** A voucher theme. */
export const buildTheme = (store: { id: string }, name = `Theme ${nextNumber()}`): Promise<VoucherTheme> =>
  inStore(store.id, (tx) =>
    VoucherTheme.in(tx).insert({
      nameI18n: { en: name },
      image: 'https://images.example/theme.png',
      createdAt: now(),
      updatedAt: now(),
    }),
  )

/** The voucher now. Fails when the ledger's sum differs from its row, or the row's sums from its amount. */
export const readVoucher = (store: { id: string }, voucherId: string): Promise<Voucher> =>
  inStore(store.id, async (tx) => {
    const voucher = await Voucher.in(tx).findById(voucherId).throwIfNotFound()
    const entries = await VoucherEntry.in(tx).where('voucher_id', voucherId).orderBy('number')
    const booked = (part: 'amount' | 'reserved' | 'spent') =>
      sum(entries.map(({ kind, amountMinor }) => BigInt(EFFECT_OF_ENTRY[kind][part]) * amountMinor))
    const { amountMinor, reservedMinor, spentMinor, remainingMinor } = voucher
    assert.deepEqual(
      { amountMinor: booked('amount'), reservedMinor: booked('reserved'), spentMinor: booked('spent') },
      { amountMinor, reservedMinor, spentMinor },
    )
    assert.equal(reservedMinor + spentMinor + remainingMinor, amountMinor)
    assert.equal(entries.at(-1)?.balanceMinor, remainingMinor)
    return voucher
  })

/** A voucher's ledger, oldest first, as `kind amount`. */
export const ledgerOf = (store: { id: string }, voucherId: string): Promise<string[]> =>
  inStore(store.id, async (tx) => {
    const entries = await VoucherEntry.in(tx).where('voucher_id', voucherId).orderBy('number')
    return entries.map(({ kind, amountMinor }) => `${kind} ${amountMinor}`)
  })
