import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { anonymizeReturns } from '#shared/returns/anonymize-returns.ts'
import { readOrder } from '#test/support/books/read-refunds.ts'
import { buildReturnScene } from '#test/support/builders/return-scene.ts'
import { buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'

async function buildScene() {
  const { store, order, staff } = await buildReturnScene()
  const { email, number } = await readOrder(store, order.id)
  const rma = await buildReturn(store, order)
  return {
    store,
    order,
    email,
    number,
    rma,
    async search(q: string): Promise<string[]> {
      const { data } = await staff(`GET /admin/returns?${new URLSearchParams({ q })}`)
      return data.map(({ id }: { id: string }) => id)
    },
  }
}

test('staff find returns by beginnings of words of the numbers, the name and the e-mail address', async () => {
  const { store, email, number, rma, search } = await buildScene()
  await buildReturn(store, await buildShippedOrder(store))
  const [, host = ''] = email.split('@')

  for (const q of [number, number.slice(0, 7), rma.number.slice(0, 6).toLowerCase(), `byron ${email}`])
    assert.deepEqual(await search(q), [rma.id], q)
  assert.equal((await search('BYR')).length, 2)
  assert.equal((await search(host)).length, 2)
  assert.deepEqual(await search('yron'), [])
})

test('a search finds an anonymized return by its numbers alone', async () => {
  const { store, order, email, number, rma, search } = await buildScene()

  await inStore(store.id, (tx) => anonymizeReturns(tx, [order.id]))

  for (const personal of ['byron', email]) assert.deepEqual(await search(personal), [], personal)
  for (const known of [number, rma.number]) assert.deepEqual(await search(known), [rma.id], known)
})
