import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import '#test/support/database.ts'
import { parse } from 'csv-parse/sync'
import { buildFullStore, type FullStore } from '#test/support/builders/full-store.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'

let store: FullStore

before(async () => {
  store = await buildFullStore()
})

async function exported(path: string, token = store.owner.token) {
  const { status, headers, data } = await request(`GET ${path}`, { token, headers: { Accept: 'text/csv' } })
  assert.equal(status, 200)
  const rows = parse(data, { columns: true }) as Record<string, string>[]
  assert.equal(headers.get('x-total-rows'), String(rows.length))
  return rows
}

const listed = async (path: string) =>
  (await request(`GET ${path}?page_size=100`, { token: store.owner.token })).data

for (const path of ['/admin/orders', '/admin/customers', '/admin/vouchers'])
  test(`GET ${path} as CSV has every item of the list, in the order of creation, with the same values`, async () => {
    const items: Record<string, unknown>[] = await listed(path)
    const rows = await exported(`${path}?page=7&page_size=1`)

    assert.ok(items.length > 0)
    assert.deepEqual(
      rows.map(({ id }) => id),
      items.map(({ id }) => String(id)).sort(),
    )
    for (const row of rows) {
      const item = items.find(({ id }) => id === row.id) ?? {}
      const shared = Object.keys(row).filter((name) => name in item && typeof item[name] !== 'object')
      assert.ok(shared.length > 8)
      for (const name of shared)
        assert.equal(row[name]?.replace(/^'/, ''), String(item[name]), `${path} ${name}`)
    }
  })

test('the filters of a list narrow its file', async () => {
  const { customer } = store

  const [row, ...others] = await exported(`/admin/customers?q=${encodeURIComponent(customer.email)}`)

  assert.deepEqual({ id: row?.id, others }, { id: customer.id, others: [] })
  assert.deepEqual(await exported('/admin/orders?created_from=2999-01-01T00:00:00.000Z'), [])
})

test('a file has the rows of all pages, each read with the same number of queries', async () => {
  const of = await buildFullStore({ provider: 'pages' })
  const read = () => exported('/admin/vouchers', of.owner.token)
  const first = await countQueries(read)
  for (let i = 0; i < 5; i++) await buildVoucher(of.store)

  const second = await countQueries(read)

  assert.equal(second, first)
})

test('a name that a spreadsheet would run is guarded', async () => {
  const { status } = await request('POST /admin/customers', {
    token: store.owner.token,
    body: { email: 'formula@example.test', firstname: '=1+1', lastname: '@Sum' },
  })
  assert.equal(status, 201)

  const [row] = await exported('/admin/customers?q=formula@example.test')

  assert.partialDeepStrictEqual(row, { firstname: "'=1+1", lastname: "'@Sum" })
})

test('a caller without the right to a list gets 403 for its file', async () => {
  const { status, error_code } = await request('GET /admin/customers', { headers: { Accept: 'text/csv' } })

  assert.deepEqual({ status, error_code }, { status: 401, error_code: 'auth.not_authenticated' })
})
