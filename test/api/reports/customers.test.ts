import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/processes/gateway.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

test('the best customers have names only for those who may read customers', async () => {
  const store = await buildStore()
  const { id: customerId } = await buildCustomer(store)
  await buildCapturedOrder(store, { customerId })
  const read = async (role: string) => {
    const { token } = await buildStaff(store, { role })
    const line = 'GET /admin/reports/customers?by=customer'
    const { data } = await request(line, { token })
    const csv = await request(line, { token, headers: { Accept: 'text/csv' } })
    assert.partialDeepStrictEqual(data.rows, [{ customer_id: customerId, orders: 1 }])
    return [data.rows[0].name, `${csv.data}`.includes('Ada Byron')]
  }

  assert.deepEqual(await read('analyst'), ['Ada Byron', true])
  assert.deepEqual(await read('marketing'), ['', false])
})
