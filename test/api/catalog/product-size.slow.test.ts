import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_PRODUCT_BYTES } from '#shared/catalog/emit-product.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCategory, buildProduct } from '#test/support/builders/catalog.ts'
import { readJob, uploadCsv } from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildAttribute } from '#test/support/builders/taxonomy.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const languages = Array.from({ length: 25 }, (_, n) => `x${String.fromCharCode(97 + n)}`)
const texts = (length: number) => Object.fromEntries(languages.map((tag) => [tag, 'd'.repeat(length)]))
const images = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ url: `https://images.example/${n}/${'i'.repeat(1_900)}` }))

const tooLarge = { status: 422, error_code: 'product.too_large' }

async function buildOffice(given: object = {}) {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const send = (line: string, body?: object) => request(line, { token, ...(body ? { body } : {}) })
  const created = await send('POST /admin/products', {
    name_i18n: { en: 'Atlas' },
    price: 10,
    description_i18n: texts(30_000),
    ...given,
  })
  return { store, send, created, path: `/admin/products/${created.data.id}` }
}

test('a product that grows past 1 MiB by several requests returns 422 product.too_large and is not changed', async () => {
  const { send, created, path } = await buildOffice()

  const patched = await send(`PATCH ${path}`, { images: images(200) })
  const replaced = await send(`PUT ${path}/images`, { items: images(200) })
  const fitting = await send(`PATCH ${path}`, { images: images(100) })
  const { data } = await send(`GET ${path}`)

  assert.equal(created.status, 201)
  assert.partialDeepStrictEqual(patched, tooLarge)
  assert.partialDeepStrictEqual(replaced, tooLarge)
  assert.equal(fitting.status, 200)
  assert.equal(data.images.length, 100)
})

/** Lengthens the description until the product has exactly the greatest permitted size. */
async function fillUp({ send, path }: Awaited<ReturnType<typeof buildOffice>>) {
  const { data } = await send(`GET ${path}`)
  const room = MAX_PRODUCT_BYTES - Buffer.byteLength(JSON.stringify(data))
  const description_i18n = texts(30_000 + Math.floor(room / languages.length))
  description_i18n.xa += 'd'.repeat(room % languages.length)
  return send(`PATCH ${path}`, { description_i18n })
}

test('a product of exactly 1 MiB is saved; each operation that adds to it or copies it returns 422 product.too_large and changes nothing', async () => {
  const office = await buildOffice({
    options: [{ name: 'Size', values: ['S', 'M'] }],
    variants: [{ sku: 'ATLAS-S', option_values: { Size: 'S' } }],
  })
  const { store, send, path } = office
  const filled = await fillUp(office)
  const attribute = await buildAttribute(store)
  const category = await buildCategory(store)
  const related = await buildProduct(store)
  const operations: [line: string, body?: object][] = [
    [`PATCH ${path}/variants/${filled.data.variants[0].id}`, { barcode: '4006381333931' }],
    [`POST ${path}/variants`, { sku: 'ATLAS-M', option_values: { Size: 'M' } }],
    [`POST ${path}/duplicate`],
    [`PUT ${path}/attributes`, { items: [{ attribute_id: attribute.id, value: 'Linen' }] }],
    [`PUT ${path}/categories`, { items: [category.id] }],
    [`PUT ${path}/price-rules`, { items: [{ kind: 'special', price: 8 }] }],
    [`PUT ${path}/related`, { items: [related.id] }],
  ]

  const answers = []
  for (const [line, body] of operations) answers.push({ line, ...(await send(line, body)) })
  const { data } = await send(`GET ${path}`)
  const { meta } = await send('GET /admin/products')

  assert.equal(filled.status, 200)
  assert.equal(Buffer.byteLength(JSON.stringify(filled.data)), MAX_PRODUCT_BYTES)
  for (const { line, ...answer } of answers) assert.partialDeepStrictEqual(answer, tooLarge, line)
  assert.deepEqual(data, filled.data)
  assert.equal(meta.total, 2)
})

test('a new product of more than 1 MiB in a smaller request returns 422 product.too_large and is not created', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const body = {
    name_i18n: { en: 'Atlas' },
    price: 10,
    description_i18n: texts(41_000),
    images: Array.from({ length: 250 }, (_, n) => ({ url: `https://images.example/${n}` })),
  }

  const refused = await request('POST /admin/products', { token, body })
  const { meta } = await request('GET /admin/products', { token })

  assert.partialDeepStrictEqual(refused, tooLarge)
  assert.equal(meta.total, 0)
})

test('a file skips a product that would be larger than 1 MiB, and imports the others', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const columns = languages.map((tag) => `description:${tag}`)
  const row = (slug: string) => [slug, slug, '10', '', ...languages.map(() => 'd'.repeat(30_000))]
  const pictures = images(200).map(({ url }) => ['large', '', '', url])
  const rows = [['slug', 'name', 'price', 'image_url', ...columns], row('large'), ...pictures, row('fitting')]

  const { data } = await uploadCsv(token, rows.map((cells) => cells.join(',')).join('\n'))
  await drainJobs()
  const job = await readJob(token, data.id)
  const { data: products } = await request('GET /admin/products', { token })

  assert.deepEqual(
    products.map(({ slug }: { slug: string }) => slug),
    ['fitting'],
  )
  assert.match(JSON.stringify(job.errors), /more than 1048576 bytes/)
})
