import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { readJob, uploadCsv } from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const languages = Array.from({ length: 25 }, (_, n) => `x${String.fromCharCode(97 + n)}`)
const texts = (length: number) => Object.fromEntries(languages.map((tag) => [tag, 'd'.repeat(length)]))
const images = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ url: `https://images.example/${n}/${'i'.repeat(1_900)}` }))

const tooLarge = { status: 422, error_code: 'product.too_large' }

async function buildOffice() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const send = (line: string, body?: object) => request(line, { token, ...(body ? { body } : {}) })
  const created = await send('POST /admin/products', {
    name_i18n: { en: 'Atlas' },
    price: 10,
    description_i18n: texts(30_000),
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
