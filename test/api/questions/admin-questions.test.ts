import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { buildApiToken, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { bodies, buildQuestionScene } from '#test/support/builders/question-scene.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { request } from '#test/support/processes/app.ts'

test('GET /admin/questions lists questions of every status and applies the filters', async () => {
  const { store, product, guest, ask, decide, admin, token } = await buildQuestionScene()
  const other = await buildProduct(store)
  const [one, two] = [
    (await ask({ body: 'Is it 100% wool?' })).data,
    (await ask({ body: 'Is it blue?' })).data,
  ]
  const three = await request(`POST /products/${other.slug}/questions`, {
    store,
    body: { ...guest, author_name: 'Grace', body: 'Is it round?' },
  })
  await decide(one.id, { status: 'approved', answer_body: 'Cotton.' })
  await decide(two.id, { status: 'rejected' })
  const found = async (query: string) => bodies((await admin(query)).data)

  assert.deepEqual(await found(''), ['Is it round?', 'Is it blue?', 'Is it 100% wool?'])
  assert.deepEqual(await found('?sort=created_at&page=2&page_size=2'), ['Is it round?'])
  assert.deepEqual(await found('?status=pending'), ['Is it round?'])
  assert.deepEqual(await found('?status=approved'), ['Is it 100% wool?'])
  assert.deepEqual(await found('?status=rejected'), ['Is it blue?'])
  assert.deepEqual(await found(`?product_id=${product.id}`), ['Is it blue?', 'Is it 100% wool?'])
  for (const [q, count] of [
    ['100%25%20wool', 1],
    ['ool', 0],
    ['COTTON', 1],
    ['grace', 1],
    [guest.author_email, 3],
    ['_', 0],
  ])
    assert.equal((await found(`?q=${q}`)).length, count, `${q}`)
  assert.deepEqual(await found(`?created_from=${three.data.created_at}`), ['Is it round?'])
  assert.deepEqual(await found(`?created_to=${one.created_at}`), [])
  assert.deepEqual((await admin('?page_size=1')).meta, { page: 1, page_size: 1, total: 3, total_pages: 3 })

  const read = () => request('GET /admin/questions', { token })
  const three_ = await countStatements(read)
  await ask()
  assert.equal(await countStatements(read), three_, 'as many statements however long it is')
})

test("staff without customers:read neither see nor find the author's address", async () => {
  const { store, guest, ask, decide } = await buildQuestionScene()
  const { id } = (await ask()).data
  await decide(id, { status: 'approved' })
  const { token } = await buildStaff(store, { role: 'content' })
  const all = [
    await request('GET /admin/questions', { token }),
    await request('GET /admin/questions?q=Ada', { token }),
    await request(`GET /admin/questions/${id}`, { token }),
    await request(`PATCH /admin/questions/${id}`, { token, body: { answer_body: 'Yes.' } }),
  ]

  for (const { status, data } of all) {
    assert.equal(status, 200)
    const [question] = [data].flat()
    assert.deepEqual(
      { id: question.id, author_name: question.author_name, hasAddress: 'author_email' in question },
      { id, author_name: guest.author_name, hasAddress: false },
    )
  }
  for (const q of [guest.author_email, guest.author_email.slice(0, 6), '@'])
    assert.equal((await request(`GET /admin/questions?q=${q}`, { token })).meta.total, 0, q)
})

test('staff see the questions about a deleted product', async () => {
  const { store, product, ask, read } = await buildQuestionScene()
  const { id } = (await ask()).data
  const { token } = await buildStaff(store, { role: 'catalog' })
  await request(`DELETE /admin/products/${product.id}`, { token })

  assert.deepEqual(
    { product_slug: (await read(id)).data.product_slug, status: (await read(id)).status },
    { product_slug: product.slug, status: 200 },
  )
})

test('PATCH /admin/questions/{id} updates the given fields and checks If-Match', async () => {
  const { ask, decide, read } = await buildQuestionScene()
  const { id } = (await ask()).data
  const etag = (await read(id)).headers.get('etag') ?? ''

  const first = await decide(id, { status: 'approved' }, { 'If-Match': etag })
  const stale = await decide(id, { status: 'rejected' }, { 'If-Match': etag })
  const second = await decide(id, { answer_body: 'Yes.' }, { 'If-Match': first.headers.get('etag') ?? '' })

  assert.deepEqual(
    { firstStatus: first.status, dataStatus: first.data.status, answered_at: first.data.answered_at },
    { firstStatus: 200, dataStatus: 'approved', answered_at: null },
  )
  assert.partialDeepStrictEqual(stale, { status: 412, error_code: 'resource.changed' })
  assert.partialDeepStrictEqual(second.data, { status: 'approved', answer_body: 'Yes.' })
  assert.deepEqual((await read(id)).data, second.data)
})

test('a changed answer keeps its answered_at', async () => {
  const { ask, decide } = await buildQuestionScene()
  const { id } = (await ask()).data

  const first = await decide(id, { answer_body: 'Yes.' })
  const edited = await decide(id, { answer_body: 'Yes, very.' })

  assert.equal(edited.data.answered_at, first.data.answered_at)
  assert.deepEqual((await decide(id, { answer_body: null })).data.answered_at, null)
})

test('an invalid decision returns 422', async () => {
  const { ask, decide } = await buildQuestionScene()
  const { id } = (await ask()).data

  for (const [body, field] of [
    [{ status: 'pending' }, 'status'],
    [{ answer_body: ' ' }, 'answer_body'],
    [{ answer_body: 'a'.repeat(5_001) }, 'answer_body'],
    [{ body: 'Is it cold?' }, 'body'],
    [{ author_email: 'other@example.test' }, 'author_email'],
  ] as const)
    assert.deepEqual((await decide(id, body)).detail[0].loc, ['body', field])
  assert.equal((await decide(id, {})).status, 422)
})

test('DELETE /admin/questions/{id} deletes the question', async () => {
  const { ask, remove, read } = await buildQuestionScene()
  const { id } = (await ask()).data

  const first = await remove(id)

  assert.partialDeepStrictEqual(first, { status: 200, data: null })
  assert.equal((await remove(id)).status, 404)
  assert.equal((await read(id)).status, 404)
})

test("another store's question returns 404", async () => {
  const { ask } = await buildQuestionScene()
  const { id } = (await ask()).data
  const other = await buildQuestionScene()

  for (const wrong of [id, newId()])
    for (const { status, error_code } of [
      await other.read(wrong),
      await other.decide(wrong, { status: 'approved' }),
      await other.remove(wrong),
    ])
      assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' })
  assert.equal((await other.admin()).meta.total, 0)
})

test('a decision is recorded in the audit log', async () => {
  const { store, ask, decide } = await buildQuestionScene()
  const { id } = (await ask()).data
  await decide(id, { status: 'approved' })
  const { token } = await buildStaff(store, { role: 'administrator' })

  const { data } = await request(`GET /admin/audit-log?resource_id=${id}`, { token })

  assert.equal(data[0].before.status, 'pending')
  assert.equal(data[0].after.status, 'approved')
})

test("the audit entry of a deleted question has no author's address", async () => {
  const { store, ask, remove } = await buildQuestionScene()
  const { data } = await ask()

  await remove(data.id)

  const { token } = await buildApiToken(store, 'system:read', 'content:read')
  const { data: entries } = await request('GET /admin/audit-log', { token })
  assert.equal(entries.length, 1)
  assert.partialDeepStrictEqual(entries[0], {
    action: 'deleteAdminQuestionsId',
    before: { author_name: 'Ada', author_email: '[secret]' },
  })
})
