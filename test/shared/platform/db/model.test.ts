import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { columnMappers, StoreModel } from '#shared/platform/db/model.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { buildStore } from '#test/support/builders/store.ts'

class ShippingMethod extends StoreModel {
  static override tableName = 'shipping_methods'
  static override jsonAttributes = ['nameI18n', 'estimateI18n']

  declare code: string
  declare nameI18n: Record<string, string>
  declare priceMinor: bigint
  declare createdAt: Date
  declare updatedAt: Date
}

/** A method whose `priceMinor` has another property name. */
class PricedMethod extends StoreModel {
  static override tableName = 'shipping_methods'
  static override columnNameMappers = columnMappers({ feeMinor: 'price_minor' })

  declare code: string
  declare feeMinor: bigint
}

const buildMethod = (storeId: string, code: string) =>
  inStore(storeId, (tx) =>
    ShippingMethod.in(tx)
      .insert({
        code,
        nameI18n: { en: 'Parcel' },
        priceMinor: 9_007_199_254_740_993n,
        createdAt: now(),
        updatedAt: now(),
      })
      .returning('*'),
  )

test('an inserted row has its store, an id and exact amounts', async () => {
  const store = await buildStore()

  const method = await buildMethod(store.id, 'parcel')

  assert.equal(method.storeId, store.id)
  assert.equal(method.priceMinor, 9_007_199_254_740_993n)
  assert.deepEqual(method.nameI18n, { en: 'Parcel' })
})

test('reads, updates and deletes reach only rows of the own store', async () => {
  const [mine, other] = [await buildStore(), await buildStore()]
  const theirs = await buildMethod(other.id, 'parcel')

  const reached = await inStore(mine.id, async (tx) => ({
    found: await ShippingMethod.in(tx).findById(theirs.id),
    changed: await ShippingMethod.in(tx).where('id', theirs.id).patch({ code: 'x' }),
    deleted: await ShippingMethod.in(tx).deleteById(theirs.id),
  }))

  assert.deepEqual(reached, { found: undefined, changed: 0, deleted: 0 })
})

test('a query for the first row reads one row, though others match', async () => {
  const store = await buildStore()
  await buildMethod(store.id, 'parcel')
  await buildMethod(store.id, 'letter')
  const read: number[] = []

  await inStore(store.id, async (tx) => {
    tx.knex.on('query-response', (rows: unknown[]) => read.push(rows.length))
    await ShippingMethod.in(tx).findOne('price_minor', '9007199254740993')
    await ShippingMethod.in(tx).where('price_minor', '>', 0).first()
  })

  assert.deepEqual(read, [1, 1])
})

test('a query without a store throws', async () => {
  await assert.rejects(async () => ShippingMethod.query(), /bind|knex/i)
})

test('a property with a mapped column is read and patched under its own name', async () => {
  const store = await buildStore()
  const { id } = await buildMethod(store.id, 'parcel')

  await inStore(store.id, (tx) => PricedMethod.in(tx).findById(id).patch({ feeMinor: 5n }))

  const read = await inStore(store.id, (tx) => PricedMethod.in(tx).findById(id).throwIfNotFound())
  assert.partialDeepStrictEqual(read, { code: 'parcel', feeMinor: 5n, storeId: store.id })
  assert.ok(!('priceMinor' in read))
  assert.equal(PricedMethod.ofJson('{"price_minor": 5}').feeMinor, 5)
})
