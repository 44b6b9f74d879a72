import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildShop, checkOut } from '#test/support/builders/place-orders.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'

const special = (price: number, customer_group_id: string | null = null) => ({
  kind: 'special',
  price,
  customer_group_id,
})

/** A product of 10.00 that costs members of a group 6.00, and 4.00 from five units on. */
async function scene() {
  const shop = await buildShop()
  const { store } = shop
  const { token } = await buildStaff(store, { role: 'administrator' })
  const as = (line: string, asked: RequestOptions = {}) => request(line, { token, ...asked })
  const { data: group } = await as('POST /admin/customer-groups', { body: { name_i18n: { en: 'Trade' } } })
  const product = await buildProduct(store)
  const bulk = { kind: 'quantity', min_quantity: 5, price: 4, customer_group_id: group.id }
  const items = [special(6, group.id), bulk, special(9)]
  const saved = await as(`PUT /admin/products/${product.id}/price-rules`, { body: { items } })
  const member = await buildCustomer(store, { customerGroupId: group.id })
  const other = await buildCustomer(store)
  const priceFor = async (quantity: number, asked: RequestOptions = {}) => {
    const body = { product_id: product.id, quantity }
    return (await request('POST /cart/items', { store, ...asked, body })).data.items[0].unit_price
  }
  return { shop, store, as, group, product, saved, member, other, priceFor }
}

test('a price rule names a group; the product shows it to the staff', async () => {
  const { as, group, product, saved } = await scene()

  const { data } = await as(`GET /admin/products/${product.id}`)

  assert.equal(saved.status, 200)
  assert.deepEqual(
    data.price_rules.map((rule: { customer_group_id: string | null }) => rule.customer_group_id),
    [group.id, group.id, null],
  )
})

test('an unknown group in a price rule returns 422 with its location', async () => {
  const { as, product } = await scene()
  const items = [special(9), special(6, newId())]

  const { status, detail } = await as(`PUT /admin/products/${product.id}/price-rules`, { body: { items } })

  assert.equal(status, 422)
  assert.deepEqual(detail[0].loc, ['body', 'items', 1, 'customer_group_id'])
})

test("a cart has the prices of its customer's group, others and guests pay the price for everyone", async () => {
  const { member, other, priceFor } = await scene()

  assert.deepEqual(
    {
      member: await priceFor(1, { token: member.token }),
      inBulk: await priceFor(4, { token: member.token }),
      other: await priceFor(5, { token: other.token }),
      guest: await priceFor(5),
    },
    { member: 6, inBulk: 4, other: 9, guest: 9 },
  )
})

test('the checkout charges the price of the cart', async () => {
  const { shop, store, product, member } = await scene()
  const { token } = member
  await request('POST /cart/items', { store, token, body: { product_id: product.id, quantity: 1 } })

  const placed = await checkOut(shop, { token, body: { payment_method: 'bank_transfer' } })

  assert.equal(placed.status, 201)
  assert.equal(placed.data.order.items[0].unit_price, 6)
})

test('a customer who leaves the group pays the regular price immediately', async () => {
  const { store, as, member, priceFor } = await scene()
  const { token } = member
  await priceFor(1, { token })
  const { data: groups } = await as('GET /admin/customer-groups')

  const body = { customer_group_id: groups.find((one: { is_default: boolean }) => one.is_default).id }
  await as(`PATCH /admin/customers/${member.id}`, { body })

  assert.equal((await request('GET /cart', { store, token })).data.items[0].unit_price, 9)
})

test("the explanation shows a group's prices to its customers alone", async () => {
  const { store, member, other, priceFor } = await scene()
  const kindsFor = async (token: string) => {
    await priceFor(1, { token })
    const { data } = await request('GET /cart?explain=true', { store, token })
    return data.items[0].explanation.map(
      ({ kind, price }: { kind: string; price: number }) => `${kind} ${price}`,
    )
  }

  assert.deepEqual(await kindsFor(member.token), [
    'base 10',
    'special 9',
    'customer_group 6',
    'customer_group 4',
  ])
  assert.deepEqual(await kindsFor(other.token), ['base 10', 'special 9'])
})

test('the cached catalog shows no group price, even if a group member reads it first', async () => {
  const { store, product, member } = await scene()

  for (const asked of [{ token: member.token }, {}]) {
    const { data } = await request(`GET /products/${product.slug}`, { store, ...asked })
    const list = await request('GET /products', { store, ...asked })
    assert.partialDeepStrictEqual(data, { current_price: 9, special_price: 9, quantity_discounts: [] })
    assert.equal(list.data[0].current_price, 9)
  }
})

test('a group that a price rule names cannot be deleted', async () => {
  const { as, group, member, product } = await scene()
  const { data: groups } = await as('GET /admin/customer-groups')
  const [fallback] = groups.filter(({ is_default }: { is_default: boolean }) => is_default)
  const remove = () => as(`DELETE /admin/customer-groups/${group.id}?move_to=${fallback.id}`)

  const refused = await remove()
  await as(`PUT /admin/products/${product.id}/price-rules`, { body: { items: [] } })
  const removed = await remove()

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'customer_group.in_use' })
  assert.equal(removed.status, 200)
  const { data } = await as(`GET /admin/customers/${member.id}`)
  assert.equal(data.customer_group_id, fallback.id)
})
