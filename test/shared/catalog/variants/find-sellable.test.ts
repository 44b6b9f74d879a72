import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { findDefaultVariantId, findSellable } from '#shared/catalog/variants/find-sellable.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { inMs } from '#shared/platform/time/clock.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'

async function find(store: { id: string }, ...ids: string[]) {
  return inStore(store.id, (tx) => findSellable(tx, ids))
}

test('findSellable returns a variant with its product, current price and stock', async () => {
  const store = await buildStore()
  const product = await buildProduct(store, {
    nameI18n: { en: 'Jacket', de: 'Jacke' },
    priceMinor: 5_000n,
    options: [{ name: 'Size', values: ['S', 'M'] }],
    variants: [
      { sku: 'J-S', optionValues: { Size: 'S' }, stockOnHand: 3, salePriceMinor: 4_000n },
      { sku: 'J-M', optionValues: { Size: 'M' }, priceMinor: 5_500n, backorder: true },
    ],
    images: [
      { url: 'https://images.test/all.jpg', alt: '', variantSkus: [] },
      { url: 'https://images.test/m.jpg', alt: '', variantSkus: ['J-M'] },
    ],
  })
  const [small, medium] = product.variants.map(({ id }) => id) as [string, string]

  const found = await find(store, small, medium)

  assert.deepEqual(found.get(small), {
    variantId: small,
    productId: product.id,
    slug: product.slug,
    nameI18n: { en: 'Jacket', de: 'Jacke' },
    sku: 'J-S',
    optionValues: { Size: 'S' },
    imageUrl: 'https://images.test/all.jpg',
    basePriceMinor: 5_000n,
    salePriceMinor: 4_000n,
    unitPriceMinor: 4_000n,
    weightGrams: null,
    taxClassId: null,
    stockAvailable: 3,
    backorder: false,
    isSellable: true,
  })
  assert.equal(found.get(medium)?.imageUrl, 'https://images.test/m.jpg')
  assert.equal(found.get(medium)?.unitPriceMinor, 5_500n)
  assert.equal(found.get(medium)?.backorder, true)
})

test('the sale price applies from its start until its end', async () => {
  const store = await buildStore()
  const { variants } = await buildProduct(store, {
    variants: [{ salePriceMinor: 700n, saleStartsAt: inMs(60_000), saleEndsAt: inMs(120_000) }],
  })
  const id = variants[0]?.id ?? ''
  const priceAfter = async (ms: number) => {
    moveClock(ms)
    return (await find(store, id)).get(id)?.unitPriceMinor
  }

  assert.equal(await priceAfter(0), 1_000n)
  assert.equal(await priceAfter(61_000), 700n)
  assert.equal(await priceAfter(121_000), 1_000n)
})

test('unpublished variants are found with isSellable false', async () => {
  const store = await buildStore()
  const hidden = await buildProduct(store, { isActive: false })
  const partly = await buildProduct(store, { variants: [{ isActive: false }] })
  const ids = [hidden, partly].map(({ variants }) => variants[0]?.id ?? '')

  const found = await find(store, ...ids)

  assert.deepEqual(
    ids.map((id) => found.get(id)?.isSellable),
    [false, false],
  )
})

test("unknown variants and another store's are absent", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const theirs = await buildProduct(other)

  assert.equal((await find(store, newId(), theirs.variants[0]?.id ?? '')).size, 0)
  assert.equal((await find(store)).size, 0)
})

test('the default variant of a product is its first published one', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const product = await buildProduct(store, {
    options: [{ name: 'Size', values: ['S', 'M'] }],
    variants: [{ optionValues: { Size: 'S' }, isActive: false }, { optionValues: { Size: 'M' } }],
  })

  const own = await inStore(store.id, (tx) => findDefaultVariantId(tx, product.id))
  const theirs = await inStore(other.id, (tx) => findDefaultVariantId(tx, product.id))

  assert.equal(own, product.variants[1]?.id)
  assert.equal(theirs, undefined)
})
