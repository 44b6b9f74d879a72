import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { baseUrl, request } from '#test/support/processes/app.ts'

test('an export has the texts of at most 100 languages, and those of the store first', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  for (let product = 0; product < 4; product++) {
    const tags = Array.from({ length: 29 }, (_, n) => `aa-${product}0${n}0`)
    const name_i18n = Object.fromEntries([...tags, 'en'].map((tag) => [tag, `Cup ${product}`]))
    const { status } = await request('POST /admin/products', { token, body: { name_i18n, price: 1 } })
    assert.equal(status, 201)
  }

  const response = await fetch(`${baseUrl}/api/v1/admin/products/export`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const [header = ''] = (await response.text()).split('\n')

  const columns = header.split(',')
  assert.ok(columns.includes('name'))
  assert.equal(columns.filter((column) => column.startsWith('name:')).length, 99)
})
