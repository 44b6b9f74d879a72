import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { checkOut } from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTaxClass, buildTaxRate } from '#test/support/builders/taxes.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'

/** A store in Germany that charges 19 % on goods of 10.00 and on shipping of 5.00. */
async function scene() {
  const store = await buildStore({ country: 'DE' })
  const { id: taxClassId } = await buildTaxClass(store, { isDefault: true })
  await buildTaxRate(store, { percent: 19, taxClassId, members: [{ country: 'DE' }] })
  const product = await buildProduct(store)
  const shipping = await buildShippingMethod(store)
  await buildPaymentMethods(store)
  const { token } = await buildStaff(store, { role: 'administrator' })
  const as = (line: string, asked: RequestOptions = {}) => request(line, { token, ...asked })
  const { data: group } = await as('POST /admin/customer-groups', {
    body: { name_i18n: { en: 'Charities' }, tax_exempt: true },
  })
  const add = (asked: RequestOptions = {}) =>
    request('POST /cart/items', { store, ...asked, body: { product_id: product.id, quantity: 1 } })
  const buy = (asked: { token?: string; cart?: string }) =>
    checkOut({ store, shipping }, { ...asked, body: { payment_method: 'bank_transfer' } })
  return { store, as, group, add, buy, shipping }
}

test('an exempt customer and members of an exempt group pay no tax, in the cart and at checkout', async () => {
  const { store, as, group, add, buy, shipping } = await scene()
  const exempt = await buildCustomer(store)
  await as(`PATCH /admin/customers/${exempt.id}`, { body: { tax_exempt: true, tax_number: 'DE123456789' } })
  const member = await buildCustomer(store, { customerGroupId: group.id })

  for (const { token } of [exempt, member]) {
    const added = await add({ token })
    const read = await request(`GET /cart?country=DE&shipping_method_id=${shipping.id}`, { store, token })
    const { data } = await buy({ token })
    assert.equal(added.data.tax_total, 0)
    assert.partialDeepStrictEqual(read.data, { tax_total: 0, taxes: [], total: 15 })
    assert.partialDeepStrictEqual(data.order, { tax_total: 0, taxes: [], total: 15 })
  }
})

test('other customers and guests pay the tax', async () => {
  const { store, add, buy } = await scene()
  const { token } = await buildCustomer(store)
  await add({ token })
  const { data } = await add()

  for (const asked of [{ token }, { cart: data.token }]) {
    const placed = await buy(asked)
    assert.partialDeepStrictEqual(placed.data.order, { tax_total: 2.85, total: 17.85 })
  }
})

test('a guest cart is free of tax as soon as an exempt customer signs in with it', async () => {
  const { store, group, add, buy } = await scene()
  const { data } = await add()
  const member = await buildCustomer(store, { customerGroupId: group.id })

  const placed = await buy({ token: member.token, cart: data.token })

  assert.equal(data.tax_total, 1.9)
  assert.partialDeepStrictEqual(placed.data.order, { tax_total: 0, total: 15 })
})

test('a customer whose exemption ends pays the tax again', async () => {
  const { store, as, group, add } = await scene()
  const member = await buildCustomer(store, { customerGroupId: group.id })
  const { token } = member
  const before = await add({ token })

  await as(`PATCH /admin/customer-groups/${group.id}`, { body: { tax_exempt: false } })
  const after = await request('GET /cart', { store, token })

  assert.deepEqual({ before: before.data.tax_total, after: after.data.tax_total }, { before: 0, after: 1.9 })
})
