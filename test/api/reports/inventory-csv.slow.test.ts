import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildLargeProducts } from '#test/support/builders/large-products.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'

const PRODUCTS = 45
const VARIANTS = 900
// The first product has one variant.
const ROWS = (PRODUCTS - 1) * VARIANTS + 1
const MIB = 1024 * 1024

test('the inventory report as CSV has all variants by their id, also if they have more than 4 MiB', async () => {
  const store = await buildStore()
  await buildLargeProducts(store, { count: PRODUCTS, variants: VARIANTS })
  await superuser.query('vacuum analyze products, product_variants')
  const { token } = await buildStaff(store, { role: 'analyst' })
  const { data: page } = await request('GET /admin/reports/inventory?page_size=3', { token })

  const { status, data, headers } = await request('GET /admin/reports/inventory', {
    token,
    headers: { Accept: 'text/csv' },
  })

  const [header, ...lines] = data.trim().split('\n')
  const ids: string[] = lines.map((line: string) => line.split(',')[0])
  assert.deepEqual(
    { status, rows: headers.get('x-total-rows'), lines: lines.length, isLarge: data.length > 4 * MIB },
    { status: 200, rows: `${ROWS}`, lines: ROWS, isLarge: true },
  )
  assert.equal(header, Object.keys(page.rows[0]).join(','))
  assert.deepEqual(ids, [...new Set(ids)].sort())
  for (const row of page.rows) assert.ok(lines.includes(Object.values(row).join(',')), JSON.stringify(row))
})
