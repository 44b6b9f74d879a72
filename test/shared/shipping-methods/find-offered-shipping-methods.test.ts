import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findOfferedShippingMethods } from '#shared/shipping-methods/find-offered-shipping-methods.ts'
import { buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildGeoZone } from '#test/support/builders/taxes.ts'
import { superuser } from '#test/support/database.ts'
import { explainStatement } from '#test/support/measure/explain-statement.ts'

const GERMANY = { country: 'DE' }

const textsIn = async (names: object, ...languages: string[]) => {
  const store = await buildStore()
  const { id } = await buildShippingMethod(store)
  await inStore(store.id, ({ knex }) =>
    knex('shipping_methods')
      .where({ id })
      .update({ name_i18n: JSON.stringify(names), estimate_i18n: JSON.stringify(names) }),
  )
  const { methods } = await inStore(store.id, (tx) => findOfferedShippingMethods(tx, GERMANY, languages))
  return methods.map(({ nameI18n, estimateI18n }) => [nameI18n, estimateI18n])
}

const both = (texts: object) => [texts, texts]

test('a shipping method is returned with its texts in the requested languages, or else in one other', async () => {
  const names = { de: 'Paket', en: 'Parcel', fr: 'Colis' }

  assert.deepEqual(await textsIn(names, 'fr', 'en'), [both({ en: 'Parcel', fr: 'Colis' })])
  assert.deepEqual(await textsIn(names, 'it', 'en'), [both({ en: 'Parcel' })])
  assert.deepEqual(await textsIn(names, 'it', 'it'), [both({ de: 'Paket' })])
  assert.deepEqual(await textsIn({}, 'it'), [both({})])
})

test('the methods to a place are found without a read of the geo zones of all methods', async (t) => {
  const store = await buildStore()
  const zones: string[] = []
  for (let n = 0; n < 20; n++) zones.push((await buildGeoZone(store, [GERMANY])).id)
  for (let n = 0; n < 40; n++) await buildShippingMethod(store, { geoZoneIds: [...zones] })
  await superuser.query('analyze shipping_methods, shipping_method_zones, geo_zone_members')

  const plan = await explainStatement(t, store, (tx) => findOfferedShippingMethods(tx, GERMANY, ['en']))

  assert.doesNotMatch(plan, /store_id = \(hashed SubPlan/)
})
