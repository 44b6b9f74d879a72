import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { addToCount, countByGroup } from '#shared/customers/customer-counts.ts'
import { CustomerGroup } from '#shared/customers/customer-group.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

async function scene() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'sales' })
  const as = (line: string, asked: RequestOptions = {}) => request(line, { token, ...asked })
  const create = async (name: string, more: object = {}) =>
    (await as('POST /admin/customer-groups', { body: { name_i18n: { en: name }, ...more } })).data
  const groups = async () => (await as('GET /admin/customer-groups')).data
  return { store, as, create, groups }
}

test('a store has a default group, which new customers enter', async () => {
  const { store, groups } = await scene()

  const before = await groups()
  await buildCustomer(store)
  const after = await groups()

  assert.partialDeepStrictEqual(before, [{ is_default: true, tax_exempt: false, customers_count: 0 }])
  assert.partialDeepStrictEqual(after, [{ id: before[0].id, customers_count: 1 }])
})

test('a change of a group with an outdated If-Match returns 412', async () => {
  const { as, create } = await scene()
  const { id } = await create('Trade')

  const stale = await as(`PATCH /admin/customer-groups/${id}`, {
    body: { sort_order: 3 },
    headers: { 'If-Match': '"old"' },
  })

  assert.partialDeepStrictEqual(stale, { status: 412, error_code: 'resource.changed' })
})

test('groups are listed by their sort order', async () => {
  const { create, groups } = await scene()
  await create('Last', { sort_order: 9 })
  await create('First', { sort_order: -1, tax_exempt: true, description_i18n: { de: 'Vorn' } })

  const names = (await groups()).map((group: { name_i18n: { en: string } }) => group.name_i18n.en)

  assert.deepEqual(names, ['First', 'Default', 'Last'])
})

test('a new default replaces the one before; its customers stay', async () => {
  const { store, create, groups } = await scene()
  await buildCustomer(store)
  const trade = await create('Trade', { is_default: true, sort_order: 1 })
  await buildCustomer(store)

  assert.partialDeepStrictEqual(await groups(), [
    { is_default: false, customers_count: 1 },
    { id: trade.id, is_default: true, customers_count: 1 },
  ])
})

test('the default group can be neither deleted nor unset', async () => {
  const { as, groups } = await scene()
  const [{ id }] = await groups()

  const deleted = await as(`DELETE /admin/customer-groups/${id}`)
  const unset = await as(`PATCH /admin/customer-groups/${id}`, { body: { is_default: false } })

  assert.partialDeepStrictEqual(deleted, { status: 409, error_code: 'customer_group.is_default' })
  assert.deepEqual(unset.detail[0].loc, ['body', 'is_default'])
})

test('a group with customers is deleted only with move_to', async () => {
  const { store, as, create, groups } = await scene()
  const [fallback] = await groups()
  const trade = await create('Trade')
  const customer = await buildCustomer(store, { customerGroupId: trade.id })
  const remove = (query = '') => as(`DELETE /admin/customer-groups/${trade.id}${query}`)

  const refused = await remove()
  const toItself = await remove(`?move_to=${trade.id}`)
  const moved = await remove(`?move_to=${fallback.id}`)

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'customer_group.in_use' })
  assert.deepEqual(toItself.detail[0].loc, ['query', 'move_to'])
  assert.equal(moved.status, 200)
  const { data } = await as(`GET /admin/customers/${customer.id}`)
  assert.equal(data.customer_group_id, fallback.id)
})

test('a group with more than 20,000 customers is not moved at once', async () => {
  const { store, as, create, groups } = await scene()
  const [fallback] = await groups()
  const trade = await create('Trade')
  await inStore(store.id, (tx) => addToCount(tx, trade.id, 20_001))

  const refused = await as(`DELETE /admin/customer-groups/${trade.id}?move_to=${fallback.id}`)

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'customer_group.too_large' })
  assert.match(refused.error ?? '', /20001 customers.*at most 20000/)
})

test('a deletion that would move customers past the limit of stored bytes returns 429', async (t) => {
  const { store, as, create, groups } = await scene()
  const [fallback] = await groups()
  process.env.LIMIT_STORED_MB = '1'
  resetConfig()
  t.after(() => {
    process.env.LIMIT_STORED_MB = '0'
    resetConfig()
  })
  const move = async () => {
    const trade = await create('Trade')
    await inStore(store.id, (tx) => addToCount(tx, trade.id, 2_000))
    return as(`DELETE /admin/customer-groups/${trade.id}?move_to=${fallback.id}`)
  }

  const statuses: number[] = []
  for (let n = 0; n < 4; n++) statuses.push((await move()).status)

  assert.deepEqual(statuses, [200, 200, 200, 429])
})

test('an unknown group returns 422 with its location', async () => {
  const { store, as } = await scene()
  const { id } = await buildCustomer(store)

  const body = { customer_group_id: id }
  const { status, detail } = await as(`PATCH /admin/customers/${id}`, { body })

  assert.equal(status, 422)
  assert.deepEqual(detail[0].loc, ['body', 'customer_group_id'])
})

test('a customer enters the new default group while the former one is deleted', async () => {
  const { store, as, create, groups } = await scene()
  const [former] = await groups()
  const next = await create('Next')
  const replacing = await pending(
    (work) => inStore(store.id, work),
    async (tx) => {
      await CustomerGroup.in(tx).findById(former.id).patch({ isDefault: false })
      await CustomerGroup.in(tx).findById(next.id).patch({ isDefault: true })
      await CustomerGroup.in(tx).deleteById(former.id)
    },
  )

  const body = { email: 'new@example.test', firstname: 'Ada', lastname: 'Byron' }
  const creating = as('POST /admin/customers', { body })
  await untilOneWaits()
  replacing.commit()
  await replacing.done

  const { status, data } = await creating
  assert.equal(status, 201)
  assert.equal(data.customer_group_id, next.id)
})

test('the customers of a group are counted without reading the numbers of other groups', async () => {
  const { store, as, create } = await scene()
  const trade = await create('Trade')
  const press = await create('Press')
  await inStore(store.id, async (tx) => {
    await addToCount(tx, trade.id, 3)
    await addToCount(tx, press.id, 5)
  })

  const counts = await inStore(store.id, (tx) => countByGroup(tx, [trade.id]))
  const { data } = await as(`GET /admin/customer-groups/${trade.id}`)

  assert.deepEqual([...counts], [[trade.id, 3]])
  assert.equal(data.customers_count, 3)
})
