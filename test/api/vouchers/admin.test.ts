import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTheme, buildVoucher, ledgerOf, readVoucher } from '#test/support/builders/vouchers.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

const NEW = { amount: 50, to_name: 'Grace', to_email: 'grace@example.test' }

async function buildOffice(given = {}) {
  const store = await buildStore(given)
  const { token, id: staffId } = await buildStaff(store, { role: 'accounting' })
  const call = (line: string, body?: unknown, headers?: Record<string, string>) =>
    request(line, { token, ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) })
  return { store, call, staffId }
}

/** The published fields of a voucher by their types. Clients depend on them. */
const DOCUMENTED: Record<string, string> = {
  id: 'string',
  order_id: 'string',
  code: 'string',
  from_name: 'string',
  from_email: 'string',
  to_name: 'string',
  to_email: 'string',
  voucher_theme_id: 'string',
  message: 'string',
  amount: 'number',
  is_active: 'boolean',
  created_at: 'string',
  voucher_theme: 'object',
  amount_remaining: 'number',
}

test('PATCH /admin/vouchers/{id} updates every documented field and returns the whole voucher', async () => {
  const { store, call } = await buildOffice()
  const [theme, order] = [await buildTheme(store, 'Birthday'), await buildOrder(store)]
  const { id } = await buildVoucher(store)
  const body = {
    order_id: order.id,
    code: 'HAPPY-2026',
    from_name: 'Charles',
    from_email: 'charles@example.test',
    to_name: 'Mary',
    to_email: 'mary@example.test',
    voucher_theme_id: theme.id,
    message: 'Well done',
    amount: 75.5,
    is_active: false,
  }

  for (const [field, value] of Object.entries(body)) {
    const { status, data } = await call(`PATCH /admin/vouchers/${id}`, { [field]: value })
    assert.equal(status, 200, field)
    assert.deepEqual(data[field], value)
  }

  const { data } = await call(`GET /admin/vouchers/${id}`)
  const types = Object.fromEntries(Object.keys(DOCUMENTED).map((field) => [field, typeof data[field]]))
  assert.deepEqual(types, DOCUMENTED)
  assert.deepEqual(data.voucher_theme, {
    id: theme.id,
    name_i18n: { en: 'Birthday' },
    image: 'https://images.example/theme.png',
  })
  assert.equal(data.amount_remaining, 75.5)
  assert.deepEqual(await ledgerOf(store, id), ['issue 5000', 'adjust 2550'])
})

test('activating a voucher emits voucher.issued once', async () => {
  const { store, call } = await buildOffice()
  const { data } = await call('POST /admin/vouchers', { ...NEW, is_active: false })
  const issued = () =>
    inStore(store.id, (tx) => tx.knex('events').where('type', 'voucher.issued').pluck('type'))
  assert.deepEqual(await issued(), [])

  await call(`PATCH /admin/vouchers/${data.id}`, { is_active: true })
  await call(`PATCH /admin/vouchers/${data.id}`, { is_active: true, message: 'Enjoy' })

  assert.deepEqual(await issued(), ['voucher.issued'])
})

test('PATCH /admin/vouchers/{id} with read-only or unknown fields, or values out of range, returns 422', async () => {
  const { store, call } = await buildOffice()
  const { id } = await buildVoucher(store)
  const bad: Record<string, unknown>[] = [
    {},
    { amount_remaining: 5 },
    { created_at: '2026-10-11T00:00:00.000Z' },
    { voucher_theme: {} },
    { amount: 0 },
    { amount: -1 },
    { amount: 10.001 },
    { amount: '10' },
    { amount: null },
    { amount: 1e12 },
    { code: '' },
    { code: 'abc' },
    { code: '----' },
    { code: 'A'.repeat(65) },
    { to_email: 'nobody' },
    { to_name: ' ' },
    { is_active: 'yes' },
    { order_id: 'none' },
    { order_id: newId() },
    { voucher_theme_id: newId() },
    { message: 'x'.repeat(2_001) },
    { expires_at: 'tomorrow' },
  ]

  for (const body of bad) {
    const { status, error_code } = await call(`PATCH /admin/vouchers/${id}`, body)
    assert.deepEqual(
      { status, error_code },
      { status: 422, error_code: 'validation.failed' },
      JSON.stringify(body),
    )
  }
  assert.deepEqual(await ledgerOf(store, id), ['issue 5000'])
})

test('PATCH /admin/vouchers/{id} sets order, theme and expiry to null', async () => {
  const { store, call } = await buildOffice()
  const [theme, order] = [await buildTheme(store), await buildOrder(store)]
  const expiresAt = new Date('2030-01-01T00:00:00Z')
  const { id } = await buildVoucher(store, { voucherThemeId: theme.id, orderId: order.id, expiresAt })

  const { data } = await call(`PATCH /admin/vouchers/${id}`, {
    order_id: null,
    voucher_theme_id: null,
    expires_at: null,
  })

  assert.partialDeepStrictEqual(data, {
    order_id: null,
    voucher_theme_id: null,
    voucher_theme: null,
    expires_at: null,
  })
})

test('PATCH /admin/vouchers/{id} with an amount below the spent and reserved amount returns 409', async () => {
  const { store, call } = await buildOffice()
  const { id: voucherId } = await buildVoucher(store)
  const book = (kind: 'reserve' | 'capture', amountMinor: bigint) =>
    inStore(store.id, (tx) => bookVoucherEntry(tx, { voucherId, kind, amountMinor }))
  await book('reserve', 3_000n)
  await book('capture', 1_000n)

  const below = await call(`PATCH /admin/vouchers/${voucherId}`, { amount: 29.99 })
  const exactly = await call(`PATCH /admin/vouchers/${voucherId}`, { amount: 30 })

  assert.partialDeepStrictEqual(below, { status: 409, error_code: 'voucher.amount_below_spent' })
  assert.match(below.error ?? '', /30/)
  assert.partialDeepStrictEqual(exactly.data, { amount: 30, amount_remaining: 0 })
  await readVoucher(store, voucherId)
})

test('PATCH /admin/vouchers/{id} rejects the code of another voucher and accepts its own in another spelling', async () => {
  const { store, call } = await buildOffice()
  await buildVoucher(store, { code: 'TAKEN-CODE' })
  const { id } = await buildVoucher(store, { code: 'OWN-CODE' })

  const taken = await call(`PATCH /admin/vouchers/${id}`, { code: 'taken code' })
  const own = await call(`PATCH /admin/vouchers/${id}`, { code: 'Own Code' })

  assert.partialDeepStrictEqual(taken, { status: 409, error_code: 'voucher.code_taken' })
  assert.equal(own.data.code, 'Own Code')
})

test('PATCH /admin/vouchers/{id} with an old ETag returns 412, even if only the balance has changed', async () => {
  const { store, call } = await buildOffice()
  const { id } = await buildVoucher(store)
  const etag = (await call(`GET /admin/vouchers/${id}`)).headers.get('etag') ?? ''
  const change = (ifMatch: string) =>
    call(`PATCH /admin/vouchers/${id}`, { message: 'x' }, { 'If-Match': ifMatch })

  await inStore(store.id, (tx) => bookVoucherEntry(tx, { voucherId: id, kind: 'reserve', amountMinor: 1n }))
  const stale = await change(etag)
  const fresh = await change((await call(`GET /admin/vouchers/${id}`)).headers.get('etag') ?? '')

  assert.partialDeepStrictEqual(stale, { status: 412, error_code: 'resource.changed' })
  assert.equal(fresh.status, 200)
})

test('POST /admin/vouchers issues a voucher, by default from the store', async () => {
  const { store, call, staffId } = await buildOffice()

  const { status, data, headers } = await call('POST /admin/vouchers', NEW)

  assert.equal(status, 201)
  assert.ok(headers.get('etag'))
  assert.match(data.code, /^(\w{4}-){3}\w{4}$/)
  assert.partialDeepStrictEqual(data, {
    from_name: `Store ${store.slug}`,
    from_email: `hello@${store.domain}`,
    message: '',
    order_id: null,
    voucher_theme: null,
    is_active: true,
  })
  assert.partialDeepStrictEqual(data, { amount: 50, amount_remaining: 50, currency: 'EUR' })
  const { data: ledger } = await call(`GET /admin/vouchers/${data.id}/transactions`)
  assert.deepEqual(
    ledger.map((entry: Record<string, unknown>) => ({
      kind: entry.kind,
      amount: entry.amount,
      balance: entry.balance,
      actor: entry.actor,
    })),
    [{ kind: 'issue', amount: 50, balance: 50, actor: `staff:${staffId}` }],
  )
})

test('POST /admin/vouchers accepts a custom code and rejects a taken one', async () => {
  const { call } = await buildOffice()

  const first = await call('POST /admin/vouchers', { ...NEW, code: 'Summer 2026' })
  const second = await call('POST /admin/vouchers', { ...NEW, code: 'SUMMER-2026' })

  assert.equal(first.data.code, 'Summer 2026')
  assert.partialDeepStrictEqual(second, { status: 409, error_code: 'voucher.code_taken' })
})

test('POST /admin/vouchers rejects more decimals than the currency has', async () => {
  for (const [currency, good, bad] of [
    ['JPY', 5_000, 50.5],
    ['KWD', 12.345, 12.3456],
    ['EUR', 0.01, 0.001],
  ] as const) {
    const { store, call } = await buildOffice({ currency })

    const issued = await call('POST /admin/vouchers', { ...NEW, amount: good })
    const refused = await call('POST /admin/vouchers', { ...NEW, amount: bad })

    assert.partialDeepStrictEqual(issued.data, { amount: good, amount_remaining: good }, currency)
    assert.deepEqual(
      { status: refused.status, loc: refused.detail[0].loc },
      { status: 422, loc: ['body', 'amount'] },
    )
    await readVoucher(store, issued.data.id)
  }
})

test('GET /admin/vouchers filters by code, name, state, order and theme, in pages', async () => {
  const { store, call } = await buildOffice()
  const [theme, order] = [await buildTheme(store), await buildOrder(store)]
  const plain = await buildVoucher(store, { code: 'FIND-ME-2026', toName: '100% Mary' })
  const themed = await buildVoucher(store, { voucherThemeId: theme.id, amountMinor: 100n })
  const ordered = await buildVoucher(store, { orderId: order.id, isActive: false })
  const found = async (query: string) => {
    const { data } = await call(`GET /admin/vouchers?${query}`)
    return data.map(({ id }: { id: string }) => id)
  }

  assert.deepEqual(await found(''), [ordered.id, themed.id, plain.id])
  assert.deepEqual(await found('q=findme2026'), [plain.id])
  assert.deepEqual(await found('q=100%25'), [plain.id])
  assert.deepEqual(await found('is_active=false'), [ordered.id])
  assert.deepEqual(await found(`order_id=${order.id}`), [ordered.id])
  assert.deepEqual(await found(`voucher_theme_id=${theme.id}`), [themed.id])
  assert.deepEqual(await found('sort=amount&page_size=1'), [themed.id])
  assert.deepEqual(await found('sort=-created_at&page=3&page_size=1'), [plain.id])
  assert.deepEqual(await found('created_from=2100-01-01T00:00:00Z'), [])
})

test('GET /admin/vouchers needs the same number of queries for one voucher and for many', async () => {
  const { store, call } = await buildOffice()
  const list = async () => {
    for (let n = 0; n < 3; n++) await buildVoucher(store, { voucherThemeId: (await buildTheme(store)).id })
    return countQueries(() => call('GET /admin/vouchers'))
  }

  const [few, many] = [await list(), await list()]

  assert.equal(many, few)
})

test('DELETE /admin/vouchers/{id} deactivates a voucher; with purge it deletes an unused one', async () => {
  const { store, call } = await buildOffice()
  const [used, fresh] = [await buildVoucher(store), await buildVoucher(store)]
  await inStore(store.id, (tx) =>
    bookVoucherEntry(tx, { voucherId: used.id, kind: 'reserve', amountMinor: 1n }),
  )

  assert.deepEqual((await call(`DELETE /admin/vouchers/${fresh.id}`)).data, null)
  assert.equal((await readVoucher(store, fresh.id)).isActive, false)
  assert.equal((await call(`DELETE /admin/vouchers/${fresh.id}?purge=true`)).status, 200)
  assert.equal((await call(`GET /admin/vouchers/${fresh.id}`)).status, 404)
  const kept = await call(`DELETE /admin/vouchers/${used.id}?purge=true`)
  assert.partialDeepStrictEqual(kept, { status: 409, error_code: 'voucher.in_use' })
})

test('POST /admin/vouchers/{id}/send mails picture, message, code and balance, as text and HTML', async () => {
  const { store, call } = await buildOffice()
  const theme = await buildTheme(store)
  const voucher = await buildVoucher(store, {
    voucherThemeId: theme.id,
    message: 'For <you>',
    code: 'MAIL-2026',
  })
  await inStore(store.id, (tx) =>
    bookVoucherEntry(tx, { voucherId: voucher.id, kind: 'reserve', amountMinor: 550n }),
  )

  const english = await call(`POST /admin/vouchers/${voucher.id}/send`, {})
  const german = await call(`POST /admin/vouchers/${voucher.id}/send`, { language: 'de-CH' })
  await drainJobs()

  assert.equal(english.status, 202)
  assert.equal(german.status, 202)
  const mails = mailbox.mails(voucher.toEmail)
  assert.deepEqual(mails.map(({ subject }) => subject).sort(), [
    `Ada schenkt Ihnen einen Gutschein für Store ${store.slug}`,
    `Ada sends you a gift voucher for Store ${store.slug}`,
  ])
  for (const { text, html } of mails) {
    assert.match(text, /MAIL-2026/)
    assert.match(text, /[“„]For <you>[”“]/)
    assert.match(text, /€44\.50|44,50\s€/)
    assert.match(html, /<img src="https:\/\/images\.example\/theme\.png"/)
    assert.match(html, /[“„]For &lt;you&gt;[”“]/)
    assert.match(html, /MAIL-2026/)
  }
})

test('POST /admin/vouchers/{id}/send rejects a voucher that cannot be spent', async () => {
  const { store, call } = await buildOffice()
  const inactive = await buildVoucher(store, { isActive: false })
  const expired = await buildVoucher(store, { expiresAt: new Date('2020-01-01') })
  const empty = await buildVoucher(store)
  await inStore(store.id, (tx) =>
    bookVoucherEntry(tx, { voucherId: empty.id, kind: 'reserve', amountMinor: 5_000n }),
  )
  const send = async ({ id }: { id: string }) => {
    const { status, error_code } = await call(`POST /admin/vouchers/${id}/send`, {})
    return { status, error_code }
  }

  assert.deepEqual(await send(inactive), { status: 422, error_code: 'voucher.inactive' })
  assert.deepEqual(await send(expired), { status: 422, error_code: 'voucher.expired' })
  assert.deepEqual(await send(empty), { status: 422, error_code: 'voucher.empty' })
  assert.deepEqual(await send({ id: newId() }), { status: 404, error_code: 'resource.not_found' })
})

test('GET /admin/vouchers/{id}/transactions lists the ledger newest first, in pages', async () => {
  const { store, call } = await buildOffice()
  const { id } = await buildVoucher(store)
  for (const amount of [60, 40, 45]) await call(`PATCH /admin/vouchers/${id}`, { amount })

  const first = await call(`GET /admin/vouchers/${id}/transactions?page_size=2`)
  const second = await call(`GET /admin/vouchers/${id}/transactions?page_size=2&page=2`)

  const short = (entries: { kind: string; amount: number; balance: number }[]) =>
    entries.map(({ kind, amount, balance }) => ({ kind, amount, balance }))
  assert.deepEqual(short(first.data), [
    { kind: 'adjust', amount: 5, balance: 45 },
    { kind: 'adjust', amount: -20, balance: 40 },
  ])
  assert.deepEqual(short(second.data), [
    { kind: 'adjust', amount: 10, balance: 60 },
    { kind: 'issue', amount: 50, balance: 50 },
  ])
  assert.deepEqual(first.meta, { page: 1, page_size: 2, total: 4, total_pages: 2 })
})

test('/admin/voucher-themes creates, reads, updates and lists themes', async () => {
  const { store, call } = await buildOffice()
  const body = { name_i18n: { en: 'Birthday', de: 'Geburtstag' }, image: 'https://images.example/b.png' }

  const { status, data, headers } = await call('POST /admin/voucher-themes', body)
  const changed = await call(
    `PATCH /admin/voucher-themes/${data.id}`,
    { image: 'https://images.example/c.png' },
    { 'If-Match': headers.get('etag') ?? '' },
  )
  const stale = await call(
    `PATCH /admin/voucher-themes/${data.id}`,
    { image: 'https://images.example/d.png' },
    { 'If-Match': headers.get('etag') ?? '' },
  )

  assert.equal(status, 201)
  assert.deepEqual(data, { id: data.id, ...body })
  assert.deepEqual(changed.data, { ...data, image: 'https://images.example/c.png' })
  assert.equal(stale.status, 412)
  assert.deepEqual((await call(`GET /admin/voucher-themes/${data.id}`)).data, changed.data)
  assert.deepEqual((await call('GET /admin/voucher-themes')).data, [changed.data])
  const shown = await request('GET /voucher-themes', { store })
  assert.deepEqual(shown.data, [changed.data])
})

test('/admin/voucher-themes requires an https picture and a name in at least one language', async () => {
  const { call } = await buildOffice()
  const image = 'https://images.example/b.png'

  for (const body of [
    { name_i18n: {}, image },
    { name_i18n: { en: '' }, image },
    { name_i18n: { en: 'A' }, image: 'http://images.example/b.png' },
    { name_i18n: { en: 'A' }, image: 'javascript:alert(1)' },
    { name_i18n: { en: 'A' } },
  ])
    assert.equal((await call('POST /admin/voucher-themes', body)).status, 422, JSON.stringify(body))
})

test('DELETE /admin/voucher-themes/{id} of a theme in use returns 409', async () => {
  const { store, call } = await buildOffice()
  const theme = await buildTheme(store)
  const voucher = await buildVoucher(store, { voucherThemeId: theme.id })

  const refused = await call(`DELETE /admin/voucher-themes/${theme.id}`)
  await call(`PATCH /admin/vouchers/${voucher.id}`, { voucher_theme_id: null })
  const deleted = await call(`DELETE /admin/voucher-themes/${theme.id}`)

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'voucher.theme_in_use' })
  assert.partialDeepStrictEqual(deleted, { status: 200, data: null })
  assert.equal((await call(`GET /admin/voucher-themes/${theme.id}`)).status, 404)
})
