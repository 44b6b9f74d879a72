import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { anonymizeVouchers } from '#shared/vouchers/anonymize-vouchers.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'

const GIFT = {
  fromName: 'Ada Byron',
  fromEmail: 'ada.byron@mail.example',
  toName: 'Zoë Hopper',
  toEmail: 'zoe@post.example',
}

/** A voucher of Ada Byron for Zoë Hopper, another one, and the search of staff. */
async function buildScene() {
  const store = await buildStore()
  const voucher = await buildVoucher(store, GIFT)
  const other = await buildVoucher(store)
  const { token } = await buildStaff(store, { role: 'owner' })
  return {
    store,
    voucher,
    other,
    token,
    async search(q: string): Promise<string[]> {
      const { data } = await request(`GET /admin/vouchers?${new URLSearchParams({ q })}`, { token })
      return data.map(({ id }: { id: string }) => id)
    },
  }
}

test('staff find vouchers by beginnings of words of names and e-mail addresses', async () => {
  const { voucher, other, search } = await buildScene()

  for (const q of ['byr', 'ZOE hopper', 'ada zoë', 'byron@', GIFT.fromEmail, 'post.example'])
    assert.deepEqual(await search(q), [voucher.id], q)
  assert.deepEqual(await search('ada'), [other.id, voucher.id])
  for (const q of ['yron', '-', 'ada curie']) assert.deepEqual(await search(q), [], q)
})

test('the words of a voucher have only the last four letters of its code', async () => {
  const { store, voucher } = await buildScene()

  const { rows } = await superuser.query<{ word: string }>(
    'select word from voucher_words where store_id = $1',
    [store.id],
  )

  const parts = voucher.code.toLowerCase().split('-')
  const words = rows.map(({ word }) => word).filter((word) => parts.some((part) => word.includes(part)))
  assert.deepEqual(words, parts.slice(-1))
})

test('a whole code finds its voucher alone, even if it starts words of others', async () => {
  const { store, search } = await buildScene()
  const { id } = await buildVoucher(store, { code: 'HOP' })

  assert.deepEqual(await search('hop'), [id])
})

test('a search finds a voucher by its new recipient after a change', async () => {
  const { voucher, token, search } = await buildScene()

  await request(`PATCH /admin/vouchers/${voucher.id}`, { token, body: { to_name: 'Marie Curie' } })

  assert.deepEqual(await search('curie'), [voucher.id])
  assert.deepEqual(await search('hopper'), [])
})

test('a search by the recipient finds a voucher whose buyer was anonymized, and one by the buyer does not', async () => {
  const { store, voucher, search } = await buildScene()
  const order = await buildOrder(store)
  await superuser.query('update vouchers set order_id = $1, order_item_id = $2 where id = $3', [
    order.id,
    order.items[0]?.id,
    voucher.id,
  ])
  const giver = { customerId: newId(), verifiedEmails: [GIFT.fromEmail], givenIds: [voucher.id] }

  await inStore(store.id, (tx) => anonymizeVouchers(tx, [voucher.id], giver))

  assert.deepEqual([await search('byron'), await search(GIFT.fromEmail)], [[], []])
  assert.deepEqual(await search('hopper'), [voucher.id])
})
