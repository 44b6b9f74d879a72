import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uploadCsv } from '#test/support/builders/import.ts'
import { nextNumber } from '#test/support/builders/store.ts'
import { buildSupport } from '#test/support/builders/support.ts'
import { request } from '#test/support/processes/app.ts'

const draft = () => ({ name_i18n: { en: 'Stool' }, price: 10, sku: `STOOL-${nextNumber()}` })

/** A support session with the owner's consent, and a product of the store with its only variant. */
async function buildOffice() {
  const { token, allow, owner } = await buildSupport()
  await allow()
  const { data: product } = await request('POST /admin/products', { token: owner.token, body: draft() })
  const variants = `/admin/products/${product.id}/variants`
  const variant = `${variants}/${product.variants[0].id}`
  const errorOf = async (line: string, body: object) => (await request(line, { token, body })).error_code
  return { token, owner, product, variants, variant, errorOf }
}

test('a support session that may make changes sets no sale of a variant', async () => {
  const { token, variants, variant, errorOf } = await buildOffice()
  const sku = () => `STOOL-${nextNumber()}`

  for (const sale of [
    { sale_price: 0.01 },
    { sale_starts_at: '2030-01-01T00:00:00Z' },
    { sale_ends_at: null },
  ]) {
    assert.equal(await errorOf(`PATCH ${variant}`, sale), 'auth.support_forbidden')
    assert.equal(await errorOf(`POST ${variants}`, { sku: sku(), ...sale }), 'auth.support_forbidden')
    const product = { ...draft(), variants: [{ sku: sku(), ...sale }] }
    assert.equal(await errorOf('POST /admin/products', product), 'auth.support_forbidden')
  }

  assert.equal(await errorOf(`PATCH ${variant}`, { barcode: '4006381333931' }), null)
  const read = await request(`GET ${variant}`, { token })
  assert.partialDeepStrictEqual(read.data, { sale_price: null, sale_starts_at: null })
})

test('a support session that may make changes imports no products, because a file sets sales', async () => {
  const { token, owner } = await buildOffice()
  const file = 'Handle,Title,Variant SKU,Variant Price,Variant Compare At Price\nstool,Stool,STOOL,0.01,10\n'

  assert.equal((await uploadCsv(token, file)).error_code, 'auth.support_forbidden')
  assert.equal((await uploadCsv(owner.token, file)).status, 202)
})

test('a support session that may make changes sets no prices of recurring plans', async () => {
  const { token, owner, product, errorOf } = await buildOffice()
  const plan = {
    name_i18n: { en: 'Monthly' },
    price: 0.01,
    duration: 1,
    duration_unit: 'month',
    product_ids: [product.id],
  }

  assert.equal(await errorOf('POST /admin/recurring-plans', plan), 'auth.support_forbidden')
  const { status, data } = await request('POST /admin/recurring-plans', { token: owner.token, body: plan })
  assert.equal(status, 201)
  const path = `/admin/recurring-plans/${data.id}`
  assert.equal(await errorOf(`PATCH ${path}`, { price: 1 }), 'auth.support_forbidden')
  assert.equal(await errorOf(`POST ${path}/apply-price`, {}), 'auth.support_forbidden')
  assert.equal((await request(`GET ${path}`, { token })).status, 200)
})
