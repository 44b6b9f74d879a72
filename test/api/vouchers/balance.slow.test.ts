import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTheme, buildVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'

const look = (store: { key: string }, code: string) =>
  request(`GET /vouchers/${encodeURIComponent(code)}`, { store })

test('GET /vouchers/{code} returns the balance for any spelling of the code, without names', async () => {
  const store = await buildStore()
  const theme = await buildTheme(store)
  const { id } = await buildVoucher(store, { code: 'LOOK-2026', voucherThemeId: theme.id })
  await inStore(store.id, (tx) =>
    bookVoucherEntry(tx, { voucherId: id, kind: 'reserve', amountMinor: 1_250n }),
  )

  const { status, data } = await look(store, ' look 2026')

  assert.equal(status, 200)
  assert.deepEqual(data, {
    code: 'LOOK-2026',
    amount: 50,
    amount_remaining: 37.5,
    currency: 'EUR',
    expires_at: null,
    voucher_theme: { id: theme.id, name_i18n: theme.nameI18n, image: theme.image },
  })
})

test('unknown, inactive, unpaid and other stores’ codes get identical responses', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  await buildVoucher(store, { code: 'INACTIVE-1', isActive: false })
  await buildVoucher(other, { code: 'ELSEWHERE' })

  const answers = await Promise.all(
    ['INACTIVE-1', 'ELSEWHERE', 'unknown', '- -', '%00x', "' or 1=1 --", '%E2%80%94'].map((code) =>
      look(store, code),
    ),
  )

  for (const { status, error_code } of answers)
    assert.deepEqual({ status, error_code }, { status: 404, error_code: 'voucher.not_found' })
  assert.equal(new Set(answers.map((answer) => JSON.stringify({ ...answer, headers: null }))).size, 1)
})
