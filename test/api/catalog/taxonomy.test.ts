import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { assertValidParent, Category } from '#shared/catalog/taxonomy/category.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCategory, buildManufacturer, buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildAttribute, buildAttributeGroup, buildStockStatus } from '#test/support/builders/taxonomy.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

async function setUp() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  return { store, token }
}

type Body = Record<string, unknown>

/** The requests that a taxonomy is tested with. */
interface Case {
  path: string
  body(store: { id: string }): Promise<Body>
  change: Body
  /** The error code of a duplicate. */
  duplicate: string
  build(store: { id: string }): Promise<{ id: string }>
}

const names = { en: 'Material', de: 'Werkstoff' }
const CASES: Case[] = [
  {
    path: '/admin/attribute-groups',
    body: async () => ({ name_i18n: names, position: 3 }),
    change: { position: 1 },
    duplicate: 'catalog.name_taken',
    build: buildAttributeGroup,
  },
  {
    path: '/admin/attributes',
    body: async (store) => ({
      group_id: (await buildAttributeGroup(store)).id,
      name_i18n: names,
      position: 3,
    }),
    change: { name_i18n: { en: 'Cloth' } },
    duplicate: 'catalog.name_taken',
    build: buildAttribute,
  },
  {
    path: '/admin/stock-statuses',
    body: async () => ({ name_i18n: names, position: 3 }),
    change: { name_i18n: { en: 'Soon' } },
    duplicate: 'catalog.name_taken',
    build: buildStockStatus,
  },
  {
    path: '/admin/manufacturers',
    body: async () => ({ name: 'Fjord & Fen' }),
    change: { name: 'Fen & Fjord' },
    duplicate: 'catalog.name_taken',
    build: buildManufacturer,
  },
  {
    path: '/admin/categories',
    body: async (store) => ({
      parent_id: (await buildCategory(store)).id,
      slug: 'coats',
      name_i18n: names,
      description_i18n: { en: 'Warm' },
      position: 3,
      is_active: false,
    }),
    change: { parent_id: null, is_active: true },
    duplicate: 'category.slug_taken',
    build: buildCategory,
  },
]

for (const { path, body, change, duplicate, build } of CASES) {
  test(`POST ${path}: a created term is read, listed, updated and deleted`, async () => {
    const { store, token } = await setUp()
    const input = await body(store)

    const created = await request(`POST ${path}`, { token, body: input })
    assert.equal(created.status, 201)
    const { id, created_at, updated_at, ...rest } = created.data
    assert.deepEqual(rest, input)
    assert.equal(created_at, updated_at)

    const read = await request(`GET ${path}/${id}`, { token })
    assert.deepEqual(read.data, created.data)
    assert.equal(read.headers.get('ETag'), created.headers.get('ETag'))
    const { data: listed } = await request(`GET ${path}`, { token })
    assert.deepEqual(
      listed.find((one: Body) => one.id === id),
      created.data,
    )

    const changed = await request(`PATCH ${path}/${id}`, { token, body: change })
    assert.equal(changed.status, 200)
    assert.deepEqual(
      { ...changed.data, updated_at },
      { ...created.data, ...change },
      'omitted fields keep their values',
    )
    assert.ok(changed.data.updated_at >= updated_at)

    assert.deepEqual((await request(`DELETE ${path}/${id}`, { token })).data, null)
    for (const line of ['GET', 'PATCH', 'DELETE']) {
      const answer = await request(`${line} ${path}/${id}`, {
        token,
        ...(line === 'PATCH' ? { body: change } : {}),
      })
      assert.partialDeepStrictEqual(answer, { status: 404, error_code: 'resource.not_found' }, line)
    }
  })

  test(`POST ${path}: of four concurrent requests with one name one returns 201; another store can use the name`, async () => {
    const [mine, other] = [await setUp(), await setUp()]
    const input = await body(mine.store)

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => request(`POST ${path}`, { token: mine.token, body: input })),
    )
    const theirs = await request(`POST ${path}`, { token: other.token, body: await body(other.store) })

    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
    assert.ok(answers.some(({ error_code }) => error_code === duplicate))
    assert.equal(theirs.status, 201)
  })

  test(`PATCH ${path}: a duplicate returns 409, an outdated ETag 412, an unknown field or empty name 422`, async () => {
    const { store, token } = await setUp()
    freezeClock(new Date())
    const input = await body(store)
    await request(`POST ${path}`, { token, body: input })
    const { id } = await build(store)
    const line = `PATCH ${path}/${id}`
    const etag = (await request(`GET ${path}/${id}`, { token })).headers.get('ETag') ?? ''
    const { parent_id: _, ...naming } = input

    const clash = await request(line, { token, body: naming })
    assert.partialDeepStrictEqual(clash, { status: 409, error_code: duplicate })
    assert.equal((await request(line, { token, body: change, headers: { 'If-Match': etag } })).status, 200)
    const stale = await request(line, { token, body: change, headers: { 'If-Match': etag } })
    assert.partialDeepStrictEqual(stale, { status: 412, error_code: 'resource.changed' })
    const bad: Body[] = [{ colour: 'red' }, 'name' in input ? { name: ' ' } : { name_i18n: {} }]
    for (const refused of bad) assert.equal((await request(line, { token, body: refused })).status, 422)
  })

  test(`DELETE ${path}: a term of another store returns 404`, async () => {
    const [mine, other] = [await setUp(), await setUp()]
    const { id } = await build(other.store)

    for (const line of ['GET', 'PATCH', 'DELETE']) {
      const answer = await request(`${line} ${path}/${id}`, {
        token: mine.token,
        ...(line === 'PATCH' ? { body: change } : {}),
      })
      assert.equal(answer.status, 404, line)
    }
    assert.equal((await request(`GET ${path}/${id}`, { token: other.token })).status, 200)
  })
}

test('GET /admin/attributes sorts by position and name, pages, and searches names in every language', async () => {
  const { store, token } = await setUp()
  const { id: groupId } = await buildAttributeGroup(store)
  for (const [en, position] of [
    ['Weave', 2],
    ['fabric', 1],
    ['Finish', 1],
    ['100 % wool', 5],
  ] as const)
    await buildAttribute(store, { groupId, nameI18n: { en, de: `${en}-de` }, position })
  const listed = async (query: string) => {
    const { data, meta } = await request(`GET /admin/attributes${query}`, { token })
    return {
      names: data.map(({ name_i18n }: { name_i18n: { en: string } }) => name_i18n.en),
      total: meta.total,
    }
  }

  assert.deepEqual(await listed(''), { names: ['fabric', 'Finish', 'Weave', '100 % wool'], total: 4 })
  assert.deepEqual(await listed('?page=2&page_size=3'), { names: ['100 % wool'], total: 4 })
  assert.deepEqual(await listed('?q=FAB'), { names: ['fabric'], total: 1 })
  assert.deepEqual(await listed('?q=weave-de'), { names: ['Weave'], total: 1 })
  assert.deepEqual(await listed('?q=%25'), { names: ['100 % wool'], total: 1 })
  assert.equal((await request('GET /admin/attributes?colour=red', { token })).status, 422)
})

test('POST /admin/attribute-groups: a name whose comparison key is cut to its maximum is unique', async () => {
  const { token } = await setUp()
  const body = { name_i18n: { en: '\u{fdfa}'.repeat(300) } }

  assert.equal((await request('POST /admin/attribute-groups', { token, body })).status, 201)
  assert.equal((await request('POST /admin/attribute-groups', { token, body })).status, 409)
})

test('POST /admin/attributes: a name is unique in its group, without regard to case and outer spaces', async () => {
  const { store, token } = await setUp()
  const { groupId } = await buildAttribute(store, { nameI18n: { en: 'Height' } })
  const { id: otherGroup } = await buildAttributeGroup(store)
  const create = async (group_id: string, name_i18n: object) =>
    (await request('POST /admin/attributes', { token, body: { group_id, name_i18n } })).status

  assert.equal(await create(groupId, { en: ' HEIGHT ' }), 409)
  assert.equal(await create(groupId, { en: 'Width', de: 'Height' }), 201)
  assert.equal(await create(otherGroup, { en: 'Height' }), 201)
})

test("POST /admin/attributes: an unknown group or another store's group returns 422", async () => {
  const { token } = await setUp()
  const theirs = await buildAttributeGroup(await buildStore())

  for (const group_id of [newId(), theirs.id]) {
    const body = { group_id, name_i18n: names }
    const { status, detail } = await request('POST /admin/attributes', { token, body })
    assert.equal(status, 422)
    assert.deepEqual(detail[0].loc, ['body', 'group_id'])
  }
})

test('POST /admin/categories without a slug derives one from the name in the default language', async () => {
  const { token } = await setUp()
  const create = async (name_i18n: object) =>
    (await request('POST /admin/categories', { token, body: { name_i18n } })).data.slug

  assert.equal(await create({ de: 'Regenmäntel', en: 'Rain coats' }), 'rain-coats')
  assert.match(await create({ en: 'Rain Coats' }), /^rain-coats-[0-9a-f]{8}$/)
  assert.match(await create({ en: '茶碗' }), /^category-[0-9a-f]{8}$/)
})

test('PATCH /admin/categories: an unknown parent, a descendant as parent, or a 21st level returns 422', async () => {
  const { store, token } = await setUp()
  const theirs = await buildCategory(await buildStore())
  const chain = [await buildCategory(store)]
  for (let level = 2; level <= 20; level++)
    chain.push(await buildCategory(store, { parentId: chain.at(-1)?.id ?? '' }))
  const [root, below] = chain.map(({ id }) => ({ id })) as [{ id: string }, { id: string }]
  const pair = await buildCategory(store)
  await buildCategory(store, { parentId: pair.id })
  const move = (id: string, parent_id: string) =>
    request(`PATCH /admin/categories/${id}`, { token, body: { parent_id } })
  const wrong: [string, string][] = [
    [root.id, newId()],
    [root.id, theirs.id],
    [root.id, root.id],
    [root.id, below.id],
    [root.id, below.id.toUpperCase()],
    [pair.id, chain[18]?.id ?? ''],
    [pair.id, chain[19]?.id ?? ''],
  ]

  for (const [id, parent] of wrong) {
    const { status, detail } = await move(id, parent)
    assert.equal(status, 422)
    assert.deepEqual(detail?.[0].loc, ['body', 'parent_id'])
  }
  assert.equal((await move(pair.id, chain[17]?.id ?? '')).status, 200)
})

test('PATCH /admin/categories: of two concurrent moves that together form a cycle one returns 422', async () => {
  const { store, token } = await setUp()
  for (let round = 0; round < 5; round++) {
    const [a, b] = [await buildCategory(store), await buildCategory(store)]
    const move = (id: string, parent_id: string) =>
      request(`PATCH /admin/categories/${id}`, { token, body: { parent_id } })

    const answers = await Promise.all([move(a.id, b.id), move(b.id, a.id)])

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
  }
  const { data } = await request('GET /categories', { store })
  assert.equal(data.length, 5, 'every category is reachable from a root')
})

test('control: without the lock of the trees both moves succeed', async () => {
  const { store } = await setUp()
  const [a, b] = [await buildCategory(store), await buildCategory(store)]
  const move = async (tx: StoreTx, id: string, parentId: string) => {
    await assertValidParent(tx, parentId, id)
    return Category.in(tx).findById(id).patch({ parentId })
  }

  await inStore(store.id, async (tx) => {
    await assertValidParent(tx, b.id, a.id)
    await inStore(store.id, (other) => move(other, b.id, a.id))
    await Category.in(tx).findById(a.id).patch({ parentId: b.id })
  })

  assert.deepEqual(
    (await request('GET /categories', { store })).data,
    [],
    'neither category is reachable from a root',
  )
})

test('DELETE of a term in use returns catalog.in_use; use by deleted products does not count', async () => {
  const { store, token } = await setUp()
  const { groupId } = await buildAttribute(store)
  const parent = await buildCategory(store)
  await buildCategory(store, { parentId: parent.id })
  const category = await buildCategory(store)
  const manufacturer = await buildManufacturer(store)
  const product = await buildProduct(store, { manufacturerId: manufacturer.id, categoryIds: [category.id] })
  const remove = async (path: string) => {
    const { status, error_code } = await request(`DELETE ${path}`, { token })
    return status === 200 ? 200 : error_code
  }

  assert.equal(await remove(`/admin/attribute-groups/${groupId}`), 'catalog.in_use')
  assert.equal(await remove(`/admin/categories/${parent.id}`), 'catalog.in_use')
  assert.equal(await remove(`/admin/categories/${category.id}`), 'catalog.in_use')
  assert.equal(await remove(`/admin/manufacturers/${manufacturer.id}`), 'catalog.in_use')
  await request(`DELETE /admin/products/${product.id}`, { token })
  assert.equal(await remove(`/admin/categories/${category.id}`), 200)
  assert.equal(await remove(`/admin/manufacturers/${manufacturer.id}`), 200)
})

test('the storefront shows an updated term immediately', async () => {
  const { store, token } = await setUp()
  const category = await buildCategory(store, { slug: 'coats', name: 'Coats' })
  const manufacturer = await buildManufacturer(store, 'Fen')
  const { slug } = await buildProduct(store, { manufacturerId: manufacturer.id, categoryIds: [category.id] })
  await request(`GET /products/${slug}`, { store })

  await request(`PATCH /admin/manufacturers/${manufacturer.id}`, { token, body: { name: 'Fjord' } })
  await request(`PATCH /admin/categories/${category.id}`, { token, body: { name_i18n: { en: 'Jackets' } } })

  const { data } = await request(`GET /products/${slug}`, { store })
  assert.equal(data.manufacturer.name, 'Fjord')
  assert.equal(data.breadcrumbs[0].name, 'Jackets')
})
