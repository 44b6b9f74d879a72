import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { Category } from '#shared/catalog/taxonomy/category.ts'
import { assertValidParent } from '#shared/catalog/taxonomy/category-tree.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { buildCategory, buildManufacturer, buildProduct } from '#test/support/build-catalog.ts'
import { buildAttribute, buildAttributeGroup, buildStockStatus } from '#test/support/build-taxonomy.ts'
import { freezeClock } from '#test/support/clock.ts'

async function setUp() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  return { store, token }
}

type Body = Record<string, unknown>

/** What is said of a term, and another saying; with what a new one has besides. */
interface Case {
  path: string
  body(store: { id: string }): Promise<Body>
  change: Body
  /** What another term must not be called at the same time. */
  taken: string
  build(store: { id: string }): Promise<{ id: string }>
}

const names = { en: 'Material', de: 'Werkstoff' }
const CASES: Case[] = [
  {
    path: '/admin/attribute-groups',
    body: async () => ({ name_i18n: names, position: 3 }),
    change: { position: 1 },
    taken: 'catalog.name_taken',
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
    taken: 'catalog.name_taken',
    build: buildAttribute,
  },
  {
    path: '/admin/stock-statuses',
    body: async () => ({ name_i18n: names, position: 3 }),
    change: { name_i18n: { en: 'Soon' } },
    taken: 'catalog.name_taken',
    build: buildStockStatus,
  },
  {
    path: '/admin/manufacturers',
    body: async () => ({ name: 'Fjord & Fen' }),
    change: { name: 'Fen & Fjord' },
    taken: 'catalog.name_taken',
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
    taken: 'category.slug_taken',
    build: buildCategory,
  },
]

for (const { path, body, change, taken, build } of CASES) {
  test(`POST ${path}: what is created is read again, listed, changed and deleted`, async () => {
    const { store, token } = await setUp()
    const said = await body(store)

    const created = await request(`POST ${path}`, { token, body: said })
    assert.equal(created.status, 201)
    const { id, created_at, updated_at, ...rest } = created.data
    assert.deepEqual(rest, said)
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
      'what the body leaves out stays',
    )
    assert.ok(changed.data.updated_at >= updated_at)

    assert.deepEqual((await request(`DELETE ${path}/${id}`, { token })).data, null)
    for (const line of ['GET', 'PATCH', 'DELETE']) {
      const answer = await request(`${line} ${path}/${id}`, {
        token,
        ...(line === 'PATCH' ? { body: change } : {}),
      })
      assert.deepEqual([answer.status, answer.error_code], [404, 'resource.not_found'], line)
    }
  })

  test(`POST ${path}: a name is taken once, also when many want it, and another store has its own`, async () => {
    const [mine, other] = [await setUp(), await setUp()]
    const said = await body(mine.store)

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => request(`POST ${path}`, { token: mine.token, body: said })),
    )
    const theirs = await request(`POST ${path}`, { token: other.token, body: await body(other.store) })

    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
    assert.ok(answers.some(({ error_code }) => error_code === taken))
    assert.equal(theirs.status, 201)
  })

  test(`PATCH ${path}: a taken name, an earlier state, an unknown field and an empty name are refused`, async () => {
    const { store, token } = await setUp()
    freezeClock(new Date())
    const said = await body(store)
    await request(`POST ${path}`, { token, body: said })
    const { id } = await build(store)
    const line = `PATCH ${path}/${id}`
    const etag = (await request(`GET ${path}/${id}`, { token })).headers.get('ETag') ?? ''
    const { parent_id: _, ...naming } = said

    const clash = await request(line, { token, body: naming })
    assert.deepEqual([clash.status, clash.error_code], [409, taken])
    assert.equal((await request(line, { token, body: change, headers: { 'If-Match': etag } })).status, 200)
    const stale = await request(line, { token, body: change, headers: { 'If-Match': etag } })
    assert.deepEqual([stale.status, stale.error_code], [412, 'resource.changed'])
    const bad: Body[] = [{ colour: 'red' }, 'name' in said ? { name: ' ' } : { name_i18n: {} }]
    for (const refused of bad) assert.equal((await request(line, { token, body: refused })).status, 422)
  })

  test(`DELETE ${path}: another store's is not found`, async () => {
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

test('GET /admin/attributes: lists stand by position and name, by pages, and are searched', async () => {
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
    return [data.map(({ name_i18n }: { name_i18n: { en: string } }) => name_i18n.en), meta.total]
  }

  assert.deepEqual(await listed(''), [['fabric', 'Finish', 'Weave', '100 % wool'], 4])
  assert.deepEqual(await listed('?page=2&page_size=3'), [['100 % wool'], 4])
  assert.deepEqual(await listed('?q=FAB'), [['fabric'], 1])
  assert.deepEqual(await listed('?q=weave-de'), [['Weave'], 1])
  assert.deepEqual(await listed('?q=%25'), [['100 % wool'], 1])
  assert.equal((await request('GET /admin/attributes?colour=red', { token })).status, 422)
})

test('POST /admin/attribute-groups: a name that grows when it is compared is taken all the same', async () => {
  const { token } = await setUp()
  const body = { name_i18n: { en: '\u{fdfa}'.repeat(300) } }

  assert.equal((await request('POST /admin/attribute-groups', { token, body })).status, 201)
  assert.equal((await request('POST /admin/attribute-groups', { token, body })).status, 409)
})

test('POST /admin/attributes: a name is free in another group, and capitals are no difference', async () => {
  const { store, token } = await setUp()
  const { groupId } = await buildAttribute(store, { nameI18n: { en: 'Height' } })
  const { id: otherGroup } = await buildAttributeGroup(store)
  const create = async (group_id: string, name_i18n: object) =>
    (await request('POST /admin/attributes', { token, body: { group_id, name_i18n } })).status

  assert.equal(await create(groupId, { en: ' HEIGHT ' }), 409)
  assert.equal(await create(groupId, { en: 'Width', de: 'Height' }), 201)
  assert.equal(await create(otherGroup, { en: 'Height' }), 201)
})

test("POST /admin/attributes: a group that is unknown or another store's is refused", async () => {
  const { token } = await setUp()
  const theirs = await buildAttributeGroup(await buildStore())

  for (const group_id of [newId(), theirs.id]) {
    const body = { group_id, name_i18n: names }
    const { status, detail } = await request('POST /admin/attributes', { token, body })
    assert.deepEqual([status, detail[0].loc], [422, ['body', 'group_id']])
  }
})

test('POST /admin/categories: a category gets a slug of its name, in the language of the store', async () => {
  const { token } = await setUp()
  const create = async (name_i18n: object) =>
    (await request('POST /admin/categories', { token, body: { name_i18n } })).data.slug

  assert.equal(await create({ de: 'Regenmäntel', en: 'Rain coats' }), 'rain-coats')
  assert.match(await create({ en: 'Rain Coats' }), /^rain-coats-[0-9a-f]{8}$/)
  assert.match(await create({ en: '茶碗' }), /^category-[0-9a-f]{8}$/)
})

test('PATCH /admin/categories: a category stands below no unknown one, not below itself, nor too deep', async () => {
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
    assert.deepEqual([status, detail?.[0].loc], [422, ['body', 'parent_id']])
  }
  assert.equal((await move(pair.id, chain[17]?.id ?? '')).status, 200)
})

test('PATCH /admin/categories: of two moves that would close a circle, one is made', async () => {
  const { store, token } = await setUp()
  for (let round = 0; round < 5; round++) {
    const [a, b] = [await buildCategory(store), await buildCategory(store)]
    const move = (id: string, parent_id: string) =>
      request(`PATCH /admin/categories/${id}`, { token, body: { parent_id } })

    const answers = await Promise.all([move(a.id, b.id), move(b.id, a.id)])

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
  }
  const { data } = await request('GET /categories', { store })
  assert.equal(data.length, 5, 'no category is out of reach')
})

test('control: without the lock on the trees, both moves would be made', async () => {
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

  assert.deepEqual((await request('GET /categories', { store })).data, [], 'both are out of reach')
})

test('DELETE of what is in use is refused, until nothing but deleted products use it', async () => {
  const { store, token } = await setUp()
  const { groupId } = await buildAttribute(store)
  const parent = await buildCategory(store)
  await buildCategory(store, { parentId: parent.id })
  const shelf = await buildCategory(store)
  const maker = await buildManufacturer(store)
  const product = await buildProduct(store, { manufacturerId: maker.id, categoryIds: [shelf.id] })
  const remove = async (path: string) => {
    const { status, error_code } = await request(`DELETE ${path}`, { token })
    return status === 200 ? 200 : error_code
  }

  assert.equal(await remove(`/admin/attribute-groups/${groupId}`), 'catalog.in_use')
  assert.equal(await remove(`/admin/categories/${parent.id}`), 'catalog.in_use')
  assert.equal(await remove(`/admin/categories/${shelf.id}`), 'catalog.in_use')
  assert.equal(await remove(`/admin/manufacturers/${maker.id}`), 'catalog.in_use')
  await request(`DELETE /admin/products/${product.id}`, { token })
  assert.equal(await remove(`/admin/categories/${shelf.id}`), 200)
  assert.equal(await remove(`/admin/manufacturers/${maker.id}`), 200)
})

test('what is said of a term shows in the storefront at once', async () => {
  const { store, token } = await setUp()
  const category = await buildCategory(store, { slug: 'coats', name: 'Coats' })
  const maker = await buildManufacturer(store, 'Fen')
  const { slug } = await buildProduct(store, { manufacturerId: maker.id, categoryIds: [category.id] })
  await request(`GET /products/${slug}`, { store })

  await request(`PATCH /admin/manufacturers/${maker.id}`, { token, body: { name: 'Fjord' } })
  await request(`PATCH /admin/categories/${category.id}`, { token, body: { name_i18n: { en: 'Jackets' } } })

  const { data } = await request(`GET /products/${slug}`, { store })
  assert.equal(data.manufacturer.name, 'Fjord')
  assert.equal(data.breadcrumbs[0].name, 'Jackets')
})
