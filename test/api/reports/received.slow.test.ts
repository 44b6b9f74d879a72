import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildOrderPaidByCard } from '#test/support/builders/card-order.ts'
import { buildReceivedScene } from '#test/support/builders/return-scene.ts'
import { request } from '#test/support/processes/app.ts'

const readSales = async (token: string) => (await request('GET /admin/reports/sales', { token })).data.totals

test('a credit for a return is a refund to a voucher: the received money stays', async () => {
  const { store, step } = await buildReceivedScene({}, { action: 'credit' })
  const { token } = await buildStaff(store, { role: 'analyst' })

  await step('refund', { body: {} })

  assert.partialDeepStrictEqual(await readSales(token), {
    refunds: 10,
    total: 15,
    paid_by_voucher: -10,
    excess: 0,
    received: 25,
  })
})

test('a dispute that is lost after a refund is an excess, which the received money does not contain', async () => {
  const { order, token, dispute } = await buildOrderPaidByCard()
  const body = { amount: 20, outside_gateway: true, reason: 'By transfer' }
  await request(`POST /admin/orders/${order.id}/refunds`, { token, key: randomUUID(), body })
  const bankDecides = await dispute()

  await bankDecides('lost')

  assert.partialDeepStrictEqual(await readSales(token), {
    refunds: 25,
    total: 0,
    paid_by_voucher: 0,
    excess: 20,
    received: -20,
  })
})

testBooks()
