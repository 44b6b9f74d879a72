import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#shared/platform/db/id.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildTill } from '#test/support/builders/remote.ts'
import { buildRemoteScene } from '#test/support/builders/remote-scene.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { runWorkerDuringTests } from '#test/support/processes/worker.ts'
import { readRemoteCatalog } from '#workers/remote-catalog/read-remote-catalog.ts'

const till = await buildTill()
runWorkerDuringTests([readRemoteCatalog])

test('POST /admin/remote/links links one item to one product', async (t) => {
  const { store, link, token } = await buildRemoteScene(t, till)
  const [one, other, gone] = [await buildProduct(store), await buildProduct(store), await buildProduct(store)]
  await request(`DELETE /admin/products/${gone.id}`, { token })
  const elsewhere = await buildProduct(await buildStore())

  const made = await link('A-1', one.id.toUpperCase())
  const answers = [
    await link('A-1', other.id),
    await link('A-2', one.id),
    await link('A-1', one.id),
    await link('A-3', gone.id),
    await link('A-3', newId()),
    await link('A-3', elsewhere.id),
  ]

  assert.equal(made.status, 201)
  assert.deepEqual(Object.keys(made.data), ['id', 'item_id', 'product_id', 'created_at'])
  assert.equal(made.data.product_id, one.id)
  assert.deepEqual(
    answers.map(({ error_code }) => error_code),
    [
      'remote.item_linked',
      'remote.product_linked',
      'remote.item_linked',
      'resource.not_found',
      'resource.not_found',
      'resource.not_found',
    ],
  )
})

test('POST /admin/remote/links replaces the link of a deleted product', async (t) => {
  const { store, link, token } = await buildRemoteScene(t, till)
  const [old, next] = [await buildProduct(store), await buildProduct(store)]
  await link('A-1', old.id)
  await request(`DELETE /admin/products/${old.id}`, { token })

  const { data: none } = await request('GET /admin/remote/links', { token })
  const again = await link('A-1', next.id)

  assert.deepEqual(none, [])
  assert.equal(again.status, 201)
})

test('GET and DELETE /admin/remote/links list and remove links', async (t) => {
  const { store, link, token } = await buildRemoteScene(t, till)
  const other = await buildRemoteScene(t, till)
  const products = await Promise.all([1, 2, 3].map(() => buildProduct(store)))
  for (const [i, { id }] of products.entries()) await link(`A-${i}`, id)

  const { data, meta } = await request('GET /admin/remote/links?page_size=2', { token })
  const foreign = await request(`DELETE /admin/remote/links/${data[0].id}`, { token: other.token })
  const removed = await request(`DELETE /admin/remote/links/${data[0].id}`, { token })
  const again = await request(`DELETE /admin/remote/links/${data[0].id}`, { token })

  assert.deepEqual(
    data.map(({ item_id }: { item_id: string }) => item_id),
    ['A-2', 'A-1'],
  )
  assert.partialDeepStrictEqual(meta, { total: 3, total_pages: 2 })
  assert.deepEqual(
    {
      foreignStatus: foreign.status,
      removedStatus: removed.status,
      data: removed.data,
      againStatus: again.status,
    },
    { foreignStatus: 404, removedStatus: 200, data: null, againStatus: 404 },
  )
  assert.equal((await link('A-2', products[2]?.id ?? '')).status, 201)
})
