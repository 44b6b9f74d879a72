import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildCategory } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { request } from '#test/support/processes/app.ts'

interface CategoryNode {
  slug: string
  children: CategoryNode[]
}

const outline = (categories: CategoryNode[]): unknown[] =>
  categories.map(({ slug, children }) => (children.length ? [slug, outline(children)] : slug))

test('GET /categories returns trees, siblings sorted by position', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const home = await buildCategory(store, { slug: 'home', position: 2 })
  const clothes = await buildCategory(store, { slug: 'clothes', position: 1 })
  const coats = await buildCategory(store, { slug: 'coats', parentId: clothes.id })
  await buildCategory(store, { slug: 'rain-coats', parentId: coats.id })
  await buildCategory(store, { slug: 'lamps', parentId: home.id, position: 1 })
  await buildCategory(store, { slug: 'beds', parentId: home.id, position: 1 })
  const hidden = await buildCategory(store, { slug: 'hidden', isActive: false })
  await buildCategory(store, { slug: 'below', parentId: hidden.id })
  await buildCategory(other, { slug: 'theirs' })

  const { data } = await request('GET /categories', { store })

  assert.deepEqual(outline(data), [
    ['clothes', [['coats', ['rain-coats']]]],
    ['home', ['beds', 'lamps']],
  ])
})

test('GET /categories of a store without categories returns an empty list', async () => {
  const store = await buildStore()

  assert.deepEqual((await request('GET /categories', { store })).data, [])
})

test('GET /categories/{slug} returns the breadcrumbs and the direct subcategories', async () => {
  const store = await buildStore()
  const clothes = await buildCategory(store, { slug: 'clothes', nameI18n: { en: 'Clothes', de: 'Kleidung' } })
  const coats = await buildCategory(store, { slug: 'coats', name: 'Coats', parentId: clothes.id })
  const rain = await buildCategory(store, { slug: 'rain-coats', name: 'Rain coats', parentId: coats.id })
  await buildCategory(store, { slug: 'hidden', parentId: coats.id, isActive: false })

  const { data } = await request('GET /categories/coats', { store, headers: { 'Accept-Language': 'de' } })

  const defaults = { description: '', position: 0 }
  assert.deepEqual(data, {
    ...defaults,
    id: coats.id,
    parent_id: clothes.id,
    slug: 'coats',
    name: 'Coats',
    breadcrumbs: [
      { id: clothes.id, slug: 'clothes', name: 'Kleidung' },
      { id: coats.id, slug: 'coats', name: 'Coats' },
    ],
    children: [{ ...defaults, id: rain.id, parent_id: coats.id, slug: 'rain-coats', name: 'Rain coats' }],
  })
})

test("an unknown category, one below an unpublished one, or another store's returns 404", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const hidden = await buildCategory(store, { slug: 'hidden', isActive: false })
  await buildCategory(store, { slug: 'below', parentId: hidden.id })
  await buildCategory(other, { slug: 'theirs' })

  for (const slug of ['none', 'hidden', 'below', 'theirs']) {
    const { status, error_code } = await request(`GET /categories/${slug}`, { store })
    assert.equal(status, 404, slug)
    assert.equal(error_code, 'resource.not_found')
  }
})

test('the trees of categories are not built again for another spelling of the URL', async () => {
  const store = await buildStore()
  await buildCategory(store, { name: 'Lamps' })
  const first = await request('GET /categories', { store })

  const again = await countStatements(() => request('GET /categories', { store }))
  const spelt = await countStatements(async () => {
    assert.deepEqual((await request('GET /categories?&', { store })).data, first.data)
  })

  assert.equal(spelt, again)
})
