import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { ADDRESS } from '#test/support/builders/orders.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { rowsOf } from '#test/support/measure/rows-of.ts'
import { request } from '#test/support/processes/app.ts'

interface Subject {
  /** The path of the resource. */
  path: string
  /** Texts that it can have. */
  texts: Record<string, string>
}

const SUBJECTS: Record<string, (store: { id: string }) => Promise<Subject>> = {
  product: async (store) => ({
    path: `/admin/products/${(await buildProduct(store)).id}`,
    texts: { sku: 'CLEAR-1' },
  }),
  variant: async (store) => {
    const { id, variants } = await buildProduct(store)
    return { path: `/admin/products/${id}/variants/${variants[0]?.id}`, texts: { barcode: '4006381333931' } }
  },
  customer: async (store) => ({
    path: `/admin/customers/${(await buildCustomer(store)).id}`,
    texts: { telephone: '+49 431 1', language: 'de', tax_number: 'DE1', note: 'Pays late' },
  }),
  coupon: async (store) => ({
    path: `/admin/coupons/${(await buildCoupon(store)).id}`,
    texts: { name: 'Summer', description: 'For the mailing' },
  }),
  'store setting': async () => ({ path: '/admin/settings', texts: { country: 'DE' } }),
}

for (const [noun, build] of Object.entries(SUBJECTS))
  test(`a text of a ${noun} is cleared with "" or null, reads "", and is stored as null`, async () => {
    const store = await buildStore()
    const { token } = await buildStaff(store, { role: 'administrator' })
    const { path, texts } = await build(store)
    const change = async (body: object) => {
      const { status, data } = await request(`PATCH ${path}`, { token, body })
      assert.equal(status, 200)
      return Object.fromEntries(Object.keys(texts).map((name) => [name, data[name]]))
    }
    const all = (value: string | null) => Object.fromEntries(Object.keys(texts).map((name) => [name, value]))

    assert.deepEqual(await change(all(null)), all(''))
    const cleared = await rowsOf(store)
    assert.deepEqual(await change(texts), texts)
    assert.deepEqual(await change(all('')), all(''))

    const { data } = await request(`GET ${path}`, { token })
    assert.partialDeepStrictEqual(data, all(''))
    const again = await rowsOf(store)
    const table = { variant: 'product_variants', 'store setting': 'stores' }[noun] ?? `${noun}s`
    assert.deepEqual(withoutTimes(again[table]), withoutTimes(cleared[table]))
  })

test('two products whose SKU is "" do not share a SKU', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })

  for (const name of ['Stool', 'Bench']) {
    const body = { name_i18n: { en: name }, price: 10, sku: '' }
    const { status, data } = await request('POST /admin/products', { token, body })
    assert.partialDeepStrictEqual({ status, sku: data.sku }, { status: 201, sku: '' })
  }
})

test('a blank text that is not empty returns 422', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const { id } = await buildProduct(store)

  const { status, detail } = await request(`PATCH /admin/products/${id}`, { token, body: { sku: ' ' } })

  assert.equal(status, 422)
  assert.deepEqual(detail[0].loc, ['body', 'sku'])
})

const withoutTimes = (rows: string[] = []): string[] =>
  rows.map((row) => row.replace(/"?\d{4}-\d\d-\d\d[T ][^",)]*"?/g, 'time'))

for (const empty of ['', null])
  test(`checkout leaves out an address field that is ${JSON.stringify(empty)}`, async () => {
    const shop = await buildShop()
    const cart = await fillCart(shop.store, shop.variantId)
    const address = { ...ADDRESS, company: empty, address_2: empty, zone: empty, telephone: empty }

    const { status, data } = await checkOut(shop, {
      cart,
      body: { payment_method: 'bank_transfer', shipping_address: address },
    })

    assert.equal(status, 201)
    assert.deepEqual(data.order.shipping_address, ADDRESS)
  })
