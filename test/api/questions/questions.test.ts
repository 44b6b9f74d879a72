import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { anonymizeAuthor } from '#shared/questions/anonymize-author.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { bodies, buildQuestionScene, faultsOf } from '#test/support/builders/question-scene.ts'
import { nextNumber } from '#test/support/builders/store.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

test('GET /products/{slug}/questions lists approved questions with exactly the documented fields', async () => {
  const { ask, list, decide } = await buildQuestionScene()
  const [answered, open, waiting, refused] = [
    await ask({ body: 'One?' }),
    await ask({ body: 'Two?' }),
    await ask({ body: 'Three?' }),
    await ask({ body: 'Four?' }),
  ]
  await decide(answered.data.id, { status: 'approved', answer_body: 'Yes.' })
  await decide(open.data.id, { status: 'approved' })
  await decide(refused.data.id, { status: 'rejected', answer_body: 'No.' })

  const { status, data, meta } = await list()
  const answeredAt: string = data[1]?.answered_at

  assert.equal(waiting.data.status, 'pending')
  assert.equal(status, 200)
  assert.deepEqual(meta, { page: 1, page_size: 10, total: 2, total_pages: 1 })
  assert.deepEqual(data, [
    {
      id: open.data.id,
      author_name: 'Ada',
      body: 'Two?',
      answer_body: '',
      answered_at: null,
      created_at: open.data.created_at,
    },
    {
      id: answered.data.id,
      author_name: 'Ada',
      body: 'One?',
      answer_body: 'Yes.',
      answered_at: answeredAt,
      created_at: answered.data.created_at,
    },
  ])
  assert.match(answeredAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('the list is the same with a token, with an invalid one and without', async () => {
  const { store, ask, list, decide, path } = await buildQuestionScene()
  await decide((await ask()).data.id, { status: 'approved' })
  const { token } = await buildCustomer(store)

  const [bare, signedIn, garbled] = [
    await list(),
    await list('', { token }),
    await list('', { token: 'none' }),
  ]

  assert.equal(bare.data.length, 1)
  assert.deepEqual(signedIn.data, bare.data)
  assert.deepEqual(garbled.data, bare.data)
  assert.equal((await request(`GET ${path}`)).error_code, 'auth.store_required')
})

test('the page size of the list is 1 to 50, by default 10', async () => {
  const { ask, list, decide } = await buildQuestionScene()
  for (let i = 1; i <= 11; i++)
    await decide((await ask({ body: `No. ${i}?` })).data.id, { status: 'approved' })

  const [first, second] = [await list(), await list('?page=2')]
  const [one, all] = [await list('?page=11&page_size=1'), await list('?page_size=50')]

  assert.equal(first.data.length, 10)
  assert.deepEqual(bodies(second.data), ['No. 1?'])
  assert.deepEqual(second.meta, { page: 2, page_size: 10, total: 11, total_pages: 2 })
  assert.deepEqual(bodies(one.data), ['No. 1?'])
  assert.equal(one.meta.total_pages, 11)
  assert.deepEqual(
    { dataCount: all.data.length, total_pages: all.meta.total_pages },
    { dataCount: 11, total_pages: 1 },
  )
  assert.deepEqual((await list('?page=3')).data, [])
  for (const [query, field, type] of [
    ['page=0', 'page', 'greater_than_equal'],
    ['page=one', 'page', 'int_parsing'],
    ['page_size=0', 'page_size', 'greater_than_equal'],
    ['page_size=51', 'page_size', 'less_than_equal'],
    ['sort=body', 'sort', 'extra_forbidden'],
  ])
    assert.deepEqual(faultsOf(await list(`?${query}`)), {
      status: 422,
      faults: [{ loc: ['query', field], type }],
    })
})

test('questions of an unpublished product return 404, read or asked', async () => {
  const { store, product, ask, list, decide } = await buildQuestionScene()
  const { token } = await buildStaff(store, { role: 'catalog' })
  await decide((await ask()).data.id, { status: 'approved' })
  const other = await buildQuestionScene()
  const missing = async () => [(await list()).error_code, (await ask()).error_code]

  assert.equal((await list()).status, 200)
  await request(`PATCH /admin/products/${product.id}`, { token, body: { is_active: false } })
  assert.deepEqual(await missing(), ['resource.not_found', 'resource.not_found'])
  await request(`PATCH /admin/products/${product.id}`, { token, body: { is_active: true } })
  assert.equal((await list()).status, 200)
  await request(`DELETE /admin/products/${product.id}`, { token })
  assert.deepEqual(await missing(), ['resource.not_found', 'resource.not_found'])
  assert.equal((await request('GET /products/nothing/questions', { store })).status, 404)
  assert.equal((await request(`GET ${other.path}`, { store })).status, 404)
})

test('the list has an ETag, and a decision invalidates the cached response', async () => {
  const { ask, list, decide, remove } = await buildQuestionScene()
  const { id } = (await ask()).data
  const empty = await list()
  const answers = async () => (await list()).data.map((q: { answer_body: string }) => q.answer_body)

  const again = await list('', {
    headers: { 'If-None-Match': empty.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' },
  })
  const steps: [object, unknown[]][] = [
    [{ status: 'approved' }, ['']],
    [{ answer_body: 'Yes.' }, ['Yes.']],
    [{ answer_body: 'Very.' }, ['Very.']],
    [{ answer_body: null }, ['']],
    [{ status: 'rejected' }, []],
    [{ status: 'approved' }, ['']],
  ]

  assert.equal(again.status, 304)
  for (const [change, shown] of steps) {
    await decide(id, change)
    assert.deepEqual(await answers(), shown)
  }
  await remove(id)
  assert.deepEqual(await answers(), [])
})

test('the cached response has no author’s name after the author is erased', async () => {
  const { store, guest, ask, list, decide } = await buildQuestionScene()
  await decide((await ask()).data.id, { status: 'approved' })
  const names = async () => (await list()).data.map((q: { author_name: string }) => q.author_name)
  const before = await names()

  const author = { customerId: newId(), verifiedEmails: [guest.author_email] }
  await inStore(store.id, (tx) => anonymizeAuthor(tx, author))

  assert.deepEqual({ before, after: await names() }, { before: ['Ada'], after: ['Anonymous'] })
})

test('a pending question does not invalidate the cached response', async () => {
  const { store, ask, decide } = await buildQuestionScene()
  const version = () =>
    inStore(
      store.id,
      async (tx) => (await tx.knex('catalog_versions').where('store_id', store.id).first()).version,
    )
  const before = await version()

  const { id } = (await ask()).data
  await decide(id, { answer_body: 'Perhaps.' })
  await decide(id, { status: 'rejected' })

  assert.equal(await version(), before)
})

test('the list takes one statement besides the store, whatever its length', async () => {
  const { ask, list, decide } = await buildQuestionScene()
  const approve = async () => decide((await ask()).data.id, { status: 'approved' })
  await approve()
  const one = await countStatements(() => list())
  for (let i = 0; i < 5; i++) await approve()

  assert.equal(await countStatements(() => list()), one)
  assert.equal(one, 3, 'the store, its setting, and the page with its count')
})

test('POST /products/{slug}/questions: a guest with name and address creates a pending question', async () => {
  const { product, guest, ask, list, read } = await buildQuestionScene()

  const { status, data } = await ask({ body: 'Is it warm?\nVery?' })

  const { id, created_at, ...rest } = data
  assert.equal(status, 201)
  assert.deepEqual(rest, {
    author_name: 'Ada',
    body: 'Is it warm?\nVery?',
    answer_body: '',
    answered_at: null,
    status: 'pending',
  })
  assert.deepEqual((await list()).data, [])
  const { data: seen } = await read(id)
  assert.deepEqual(seen, {
    ...data,
    product_id: product.id,
    product_slug: product.slug,
    product_name: 'Jacket',
    customer_id: null,
    language: 'en',
    updated_at: created_at,
    author_email: guest.author_email,
  })
})

test("a customer's question has the name and address of the account; the name can be replaced", async () => {
  const { store, path, guest, read } = await buildQuestionScene()
  const { id: customerId, email, token } = await buildCustomer(store)
  const ask = (body: object) =>
    request(`POST ${path}`, { store, token, body: { body: 'Is it warm?', ...body } })

  const [plain, named] = [await ask({}), await ask({ ...guest, author_name: 'A.B.' })]

  const [first, second] = [(await read(plain.data.id)).data, (await read(named.data.id)).data]
  assert.partialDeepStrictEqual(first, { author_name: 'Ada', author_email: email, customer_id: customerId })
  assert.partialDeepStrictEqual(second, { author_name: 'A.B.', author_email: email })
})

test('an invalid question returns 422 with every fault', async () => {
  const { store, path, ask } = await buildQuestionScene()
  const send = (body: object) => request(`POST ${path}`, { store, body })

  assert.deepEqual(faultsOf(await send({ body: 'Is it warm?' })), {
    status: 422,
    faults: [
      { loc: ['body', 'author_name'], type: 'missing' },
      { loc: ['body', 'author_email'], type: 'missing' },
    ],
  })
  for (const [body, fault] of [
    [{ body: 'a'.repeat(2_001) }, { loc: ['body', 'body'], type: 'string_too_long' }],
    [{ author_name: 'a'.repeat(101) }, { loc: ['body', 'author_name'], type: 'string_too_long' }],
    [{ status: 'approved' }, { loc: ['body', 'status'], type: 'extra_forbidden' }],
  ] as const)
    assert.deepEqual(faultsOf(await ask(body)), { status: 422, faults: [fault] })
  for (const body of [
    { body: '' },
    { body: ' \n ' },
    { author_email: 'ada' },
    { author_email: 'a\r\nBcc: b@c.test' },
  ])
    assert.equal((await ask(body)).status, 422, JSON.stringify(body))
  assert.equal((await ask({ body: 'a'.repeat(2_000), author_name: 'a'.repeat(100) })).status, 201)
})

test('questions are rate limited by IP address', async () => {
  const { ask } = await buildQuestionScene()
  const limit = (perMinute: number) => {
    process.env.LIMIT_QUESTIONS = String(perMinute)
    resetConfig()
  }

  limit(3)
  try {
    const answers = [await ask(), await ask(), await ask(), await ask()]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 429],
    )
  } finally {
    limit(0)
  }
})

test("a question emits an event without the author's address", async () => {
  const { store, guest, ask, read } = await buildQuestionScene()

  const { data } = await ask()

  const events = await inStore(store.id, (tx) =>
    tx.knex('events').where('type', 'like', 'question.%').select('type', 'data'),
  )
  const { author_email, ...published } = (await read(data.id)).data
  assert.deepEqual(events, [{ type: 'question.created', data: published }])
  assert.ok(author_email === guest.author_email && !JSON.stringify(events).includes(author_email))
})

test("only the admin API returns the author's address", async () => {
  const { guest, ask, list, decide } = await buildQuestionScene()

  const asked = await ask()
  await decide(asked.data.id, { status: 'approved', answer_body: 'Yes.' })
  const listed = await list()

  for (const { data } of [asked, listed]) assert.ok(!JSON.stringify(data).includes(guest.author_email))
})

test('a refused question emits no event and sends no mail', async () => {
  const { store, path } = await buildQuestionScene()

  await request(`POST ${path}`, { store, body: { body: 'Is it warm?' } })
  await drainJobs()

  assert.deepEqual(mailbox.mails(`hello@${store.domain}`), [])
})

test('a new question is mailed to the store in text and in escaped HTML', async () => {
  const { store, ask } = await buildQuestionScene({ languages: ['de', 'en'] })
  const body = 'Is <b>this</b> "warm" & dry?\nhttps://spam.example/<script>'

  await ask({ body, author_name: '<img src=x onerror=alert(1)>' })
  await drainJobs()

  const [mail, ...more] = mailbox.mails(`hello@${store.domain}`)
  assert.equal(more.length, 0)
  assert.equal(mail?.subject, `Store ${store.slug}: eine Frage zu Jacke`)
  assert.ok(mail.text.includes(body) && mail.text.includes('Von: <img src=x onerror=alert(1)>'))
  assert.ok(mail.html.includes('Is &lt;b&gt;this&lt;/b&gt; &quot;warm&quot; &amp; dry?'))
  assert.ok(!/<(b|img|script)[ >]/.test(mail.html), mail.html)
})

test("the first answer is mailed to the author in the author's language, once", async () => {
  const { store, guest, ask, decide } = await buildQuestionScene()
  const { id } = (await ask({ body: 'Ist <i>sie</i> warm?' }, { headers: { 'Accept-Language': 'de' } })).data

  for (const change of [
    { status: 'approved' },
    { answer_body: 'Ja & <em>wie</em>.' },
    { answer_body: 'Ja, sehr.' },
    { answer_body: '' },
    { answer_body: 'Ja.' },
  ])
    assert.equal((await decide(id, change)).status, 200)
  await drainJobs()

  const [mail, ...more] = mailbox.mails(guest.author_email)
  assert.equal(more.length, 0)
  assert.equal(mail?.subject, `Store ${store.slug}: Ihre Frage zu Jacke`)
  assert.match(
    mail.text,
    /Guten Tag Ada,.*Ihre Frage: Ist <i>sie<\/i> warm\?\nUnsere Antwort: Ja & <em>wie<\/em>\./s,
  )
  assert.ok(
    mail.html.includes('Ja &amp; &lt;em&gt;wie&lt;/em&gt;.') && mail.html.includes('<html lang="de">'),
  )
})

test("the answer to a customer is mailed to the account's present address, not to a former one", async () => {
  const { store, ask, decide } = await buildQuestionScene()
  const customer = await buildCustomer(store)
  const { id } = (await ask({}, { token: customer.token })).data
  const moved = `moved-${nextNumber()}@example.test`
  const { token } = await buildStaff(store, { role: 'support' })
  await request(`PATCH /admin/customers/${customer.id}`, { token, body: { email: moved } })
  await drainJobs()
  mailbox.clear()

  await decide(id, { answer_body: 'Yes.' })
  await drainJobs()

  assert.deepEqual([mailbox.mails(customer.email).length, mailbox.mails(moved).length], [0, 1])
})

test('two concurrent answers send one mail', async () => {
  const { guest, ask, decide } = await buildQuestionScene()
  const { id } = (await ask()).data

  await Promise.all(['Yes.', 'No.', 'Perhaps.'].map((answer_body) => decide(id, { answer_body })))
  await drainJobs()

  assert.equal(mailbox.mails(guest.author_email).length, 1)
})

test('a store gets at most 20 mails about new questions per hour; further questions are in its list', async () => {
  const { store, ask, admin } = await buildQuestionScene()

  for (let i = 0; i < 22; i++) assert.equal((await ask()).status, 201)
  await drainJobs()

  assert.equal(mailbox.mails(`hello@${store.domain}`).length, 20)
  assert.equal((await admin()).meta.total, 22)
})
