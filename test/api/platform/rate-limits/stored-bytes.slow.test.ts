import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { Product } from '#shared/catalog/product.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { emitAll } from '#shared/platform/events/events.ts'
import { consumeQuotaIn } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { buildApiToken, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { csv, importCsv, importCustomerCsv, readJob, uploadCustomers } from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTheme, buildVoucher } from '#test/support/builders/vouchers.ts'
import { buildReceiver, buildWebhook, deliveriesOf, parcelMoved } from '#test/support/builders/webhooks.ts'
import { moveClock } from '#test/support/clock.ts'
import { type ApiResponse, baseUrl, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const receiver = await buildReceiver()

const MIB = 1024 * 1024

const limitStored = (megabytes: number) => {
  process.env.LIMIT_STORED_MB = String(megabytes)
  resetConfig()
}

afterEach(async () => {
  limitStored(0)
  await db()('rate_limits').delete()
})

/** The bytes of a column in all rows of a store. */
const bytesOf = (store: { id: string }, table: string, column: string): Promise<number> =>
  inStore(store.id, async (tx) => {
    const { rows } = await tx.knex.raw(
      `select coalesce(sum(octet_length(${column}::text)), 0)::integer as bytes from ${table} where store_id = ?`,
      [tx.storeId],
    )
    return rows[0].bytes
  })

/** Consumes the 8 MiB that the staff of a store may store in an hour with a limit of 1. */
const useUpStoredBytes = ({ id }: { id: string }) =>
  inStore(id, (tx) =>
    consumeQuotaIn(tx, `bytes stored for staff of ${id}`, { limit: 8, units: 8, windowMs: HOUR_MS }),
  )

/** Repeats a change until it is refused, at most 40 times. */
async function untilRefused(change: (n: number) => Promise<ApiResponse>): Promise<ApiResponse> {
  for (let n = 1; ; n++) {
    const answer = await change(n)
    if (answer.status >= 300 || n === 40) return answer
  }
}

const REFUSED = { status: 429, error_code: 'rate_limit.exceeded' }
const outcomeOf = ({ status, error_code }: ApiResponse) => ({ status, error_code })

/** The token of a guest's cart whose response has about 160 KB. */
async function fillLargeCart(store: { key: string }): Promise<string> {
  const voucher = { amount: 25, to_name: 'Ann', to_email: 'ann@example.test', from_name: 'Bo' }
  const body = { voucher: { ...voucher, from_email: 'bo@example.test', message: '𠀀'.repeat(2_000) } }
  const { data } = await request('POST /cart/items', { store, body })
  for (let n = 1; n < 20; n++) await request('POST /cart/items', { store, cart: data.token, body })
  return data.token
}

/** Creates a guest's cart with 2 KB of metadata for each key. */
function storeCart(store: { key: string }, keys: number): Promise<ApiResponse> {
  const metadata = Object.fromEntries(Array.from({ length: keys }, (_, n) => [`key ${n}`, '𠀀'.repeat(500)]))
  return request('PATCH /cart', { store, body: { metadata } })
}

test('responses for repeats that one address has stored are limited by their bytes, until an hour later', async () => {
  const store = await buildStore()
  const cart = await fillLargeCart(store)
  const note = (n: number | string, key?: string) =>
    request('PATCH /cart', { store, cart, body: { metadata: { n: String(n) } }, ...(key ? { key } : {}) })
  limitStored(2)
  let last = 0

  const refused = await untilRefused((n) => {
    last = n
    return note(n, randomUUID())
  })
  const stored = await bytesOf(store, 'idempotency_keys', 'response')
  const { data } = await request('GET /cart', { store, cart })
  const withoutKey = await note('without a key')
  moveClock(HOUR_MS)
  const later = await note('later', randomUUID())

  assert.deepEqual(outcomeOf(refused), REFUSED)
  assert.ok(stored > 2 * MIB && stored < 3.5 * MIB, `${stored} bytes`)
  assert.equal(data.metadata.n, String(last - 1), 'the refused change was not made')
  assert.deepEqual({ withoutKey: withoutKey.status, later: later.status }, { withoutKey: 200, later: 200 })
})

test('the bytes that one address stores in guest carts are limited', async () => {
  const store = await buildStore()
  limitStored(2)

  const refused = await untilRefused(() => storeCart(store, 45))
  const stored = await bytesOf(store, 'carts', 'metadata')

  assert.deepEqual(outcomeOf(refused), REFUSED)
  assert.ok(stored > MIB && stored < 3.5 * MIB, `${stored} bytes`)
})

test('registrations of an address that has stored its bytes are refused', async () => {
  const store = await buildStore()
  const fillCarts = (keys: number) => untilRefused(() => storeCart(store, keys))
  const person = { password: 'correct horse', firstname: 'Ada', lastname: 'Byron' }
  const register = (n: number) =>
    request('POST /auth/register', { store, body: { ...person, email: `ada-${n}@example.test` } })
  limitStored(1)
  const filled = [await fillCarts(45), await fillCarts(4), await fillCarts(1)]

  const refused = await untilRefused(register)
  const customers = await inStore(store.id, (tx) => tx.knex('customers').select('id'))

  assert.deepEqual(filled.map(outcomeOf), [REFUSED, REFUSED, REFUSED])
  assert.deepEqual(outcomeOf(refused), REFUSED)
  assert.ok(customers.length < 5, `${customers.length} customers`)
})

test('rendered pages that the staff of a store have stored are limited by their bytes', async () => {
  const store = await buildStore()
  const { token } = await buildApiToken(store, 'content:read', 'content:write')
  // 1 KB: each cell that a row leaves out is HTML. It is small enough to be rendered in time on a busy machine.
  const table = `${'|a'.repeat(250)}|\n${'|-'.repeat(250)}|\n${'|\n'.repeat(30)}`
  limitStored(1)
  // The other megabytes are used up, since rendering all of them takes long.
  await useUpStoredBytes(store)

  const refused = await untilRefused((n) =>
    request('POST /admin/pages', {
      token,
      body: { title_i18n: { en: `Terms ${n}` }, body_i18n: { en: table } },
    }),
  )
  const stored = await bytesOf(store, 'content_pages', 'html_i18n')

  assert.deepEqual(outcomeOf(refused), REFUSED)
  assert.ok(stored > 0.4 * MIB, `${stored} bytes`)
})

test('events that the staff of a store have stored are limited by their bytes, and those of another are not', async () => {
  const large = async () => {
    const store = await buildStore()
    const { token } = await buildStaff(store, { role: 'catalog' })
    const descriptionI18n = { en: 'd'.repeat(50_000), de: 'd'.repeat(50_000), fr: '𠀀'.repeat(50_000) }
    const { id } = await buildProduct(store, { descriptionI18n })
    const weigh = (weight: number) => request(`PATCH /admin/products/${id}`, { token, body: { weight } })
    return { store, weigh }
  }
  const [one, other] = [await large(), await large()]
  limitStored(1)

  const refused = await untilRefused(one.weigh)
  const stored = await bytesOf(one.store, 'events', 'data')

  assert.deepEqual(outcomeOf(refused), REFUSED)
  assert.ok(stored > 8 * MIB && stored < 13 * MIB, `${stored} bytes`)
  assert.equal((await other.weigh(1)).status, 200)
})

/** Texts of random words in 30 languages. */
function randomWords(count: number): Record<string, string> {
  const words = () => Array.from({ length: count }, () => randomUUID().slice(0, 6)).join(' ')
  const tags = Array.from(
    { length: 30 },
    (_, n) => `x${String.fromCharCode(97 + (n % 26))}${n < 26 ? '' : 'a'}`,
  )
  return Object.fromEntries(tags.map((tag) => [tag, words()]))
}

/** The number of requests until one is refused, in a store that has stored all but the last MiB of its hour. */
async function countUntilRefused(
  change: (n: number, token: string) => Promise<ApiResponse>,
): Promise<number> {
  const store = await buildStore()
  const { token } = await buildApiToken(store, 'catalog:write', 'customers:write')
  limitStored(1)
  await useUpStoredBytes(store)
  let requests = 0
  const refused = await untilRefused((n) => {
    requests = n
    return change(n, token)
  })
  assert.deepEqual(outcomeOf(refused), REFUSED)
  return requests
}

test('the words by which searches find a product count as stored bytes', async () => {
  const requests = await countUntilRefused((n, token) =>
    request('POST /admin/products', {
      token,
      body: { name_i18n: { en: `${n}` }, price: 1, description_i18n: randomWords(50) },
    }),
  )

  // The bodies and events of ten such products have 300 KB.
  assert.ok(requests < 10, `${requests} requests`)
})

test('the words by which searches find a customer count as stored bytes', async () => {
  const email = (n: number) => `${'a.'.repeat(20)}${n}@${'a.'.repeat(100)}test`

  const requests = await countUntilRefused((n, token) =>
    request('POST /admin/customers', { token, body: { email: email(n), firstname: 'A', lastname: 'B' } }),
  )

  // The bodies and events of forty such customers have 80 KB.
  assert.ok(requests < 40, `${requests} requests`)
})

test('long words in the names of products are not stored for each of their trigrams', async () => {
  const store = await buildStore()
  const { token } = await buildApiToken(store, 'catalog:write')
  const names = {
    en: 'e'.repeat(30),
    de: `${'𠀀𠀁𠀂'.repeat(100)}`,
    fr: randomUUID().replaceAll('-', '').repeat(4),
  }

  await request('POST /admin/products', { token, body: { name_i18n: names, price: 1 } })
  const { data } = await request(`GET /products?q=${names.fr}`, { store })
  const stored = await bytesOf(store, 'word_trigrams', 'word')

  assert.equal(data.length, 1)
  assert.ok(stored > 0 && stored < 2_000, `${stored} bytes`)
})

test('the deliveries to webhooks that an event causes count as stored bytes', async () => {
  const bytes = async (webhooks: { events: string[]; isActive?: boolean }[]) => {
    const store = await buildStore()
    for (const webhook of webhooks) await buildWebhook(store, { url: receiver.hookUrl('stored'), ...webhook })
    return inStore(store.id, async (tx) => {
      await emitAll(tx, parcelMoved, [{ step: 1 }, { step: 2 }])
      return tx.storedBytes
    })
  }

  const alone = await bytes([])
  const others = await bytes([{ events: ['order.*'] }, { events: ['*'], isActive: false }])
  const all = await bytes([{ events: ['*'] }, { events: ['parcel.*'] }, { events: ['parcel.moved'] }])

  assert.equal(others, alone)
  // Two events to three webhooks. A delivery with its attempt takes about 2 KB.
  assert.ok(all - alone > 6 * 2_000, `${all - alone} bytes`)
})

test('at the limit of stored bytes, staff cannot send deliveries again', async () => {
  const store = await buildStore()
  const { token } = await buildApiToken(store, 'system:read', 'system:write')
  const { webhook } = await buildWebhook(store, { url: receiver.hookUrl('again') })
  receiver.behave('again', { status: 410 })
  await inStore(store.id, (tx) => emitAll(tx, parcelMoved, [{ step: 1 }]))
  await drainJobs()
  const [delivery] = await deliveriesOf(store, webhook)
  await inStore(store.id, (tx) => Webhook.in(tx).findById(webhook.id).patch({ isActive: true }))
  limitStored(1)
  await useUpStoredBytes(store)
  let sent = 0

  for (let answer = { status: 202 }; answer.status === 202 && sent < 2_000; sent++)
    answer = await request(`POST /admin/webhook-deliveries/${delivery?.id}/redeliver`, { token })

  assert.ok(sent > 300 && sent < 700, `${sent} redeliveries of about 2 KB fill 1 MB`)
})

test('an import at the limit of stored bytes pauses with a note and resumes at the next row', async () => {
  const store = await buildStore()
  const { token } = await buildApiToken(store, 'catalog:read', 'catalog:write')
  const fileOf = (price: number) =>
    csv(
      'Handle,Title,Variant SKU,Variant Price',
      ...Array.from({ length: 10 }, (_, i) => `product-${i},Product ${i},SKU-${i},${price}`),
    )
  await importCsv(store, token, fileOf(10))
  await inStore(store.id, (tx) => Product.in(tx).patch({ descriptionI18n: { en: 'd'.repeat(900_000) } }))
  limitStored(1)
  const prices = () => inStore(store.id, (tx) => tx.knex('products').distinct().pluck('price_minor'))

  const first = await importCsv(store, token, fileOf(11))
  const second = await importCsv(store, token, fileOf(12))
  const before = await prices()
  moveClock(HOUR_MS)
  await useUpStoredBytes(store)
  await drainJobs()
  const still = await readJob(token, second.id)
  moveClock(2 * HOUR_MS + MINUTE_MS)
  await drainJobs()
  const last = await readJob(token, second.id)

  assert.equal(first.status, 'succeeded')
  assert.partialDeepStrictEqual(second, { status: 'running', warning_count: 1 })
  assert.match(second.errors[0].message, /The import continues automatically at \d{4}-/i)
  assert.deepEqual(before, [1_100n])
  assert.partialDeepStrictEqual(still, { status: 'running', warning_count: 2 })
  assert.partialDeepStrictEqual(last, { status: 'succeeded', products_changed: 10 })
  assert.deepEqual(await prices(), [1_200n])
})

test('the headers of imported files count as stored bytes', async () => {
  const store = await buildStore()
  const { token } = await buildApiToken(store, 'customers:read', 'customers:write')
  const header = csv(`email,${'n'.repeat(200_000)}`)
  limitStored(1)
  await useUpStoredBytes(store)

  const refused = await untilRefused(async () => {
    const answer = await uploadCustomers(token, header)
    await drainJobs()
    return answer.status === 202 ? { ...answer, status: 200 } : answer
  })
  const stored = await bytesOf(store, 'import_jobs', 'columns')

  assert.deepEqual(outcomeOf(refused), REFUSED)
  assert.ok(stored < 1.5 * MIB, `${stored} bytes`)
})

test('the notes of an import count as stored bytes', async () => {
  const store = await buildStore()
  const { token } = await buildApiToken(store, 'customers:read', 'customers:write')
  const rows = Array.from({ length: 4_000 }, (_, i) => `${i}@a.test,x`)
  limitStored(1)
  await useUpStoredBytes(store)

  const { status, warning_count } = await importCustomerCsv(
    token,
    csv('email,language', ...rows),
    'dry_run=true',
  )

  assert.equal(status, 'running')
  assert.ok(warning_count > 1_000 && warning_count < 4_000, `${warning_count} warnings of about 350 bytes`)
})

test('uploaded files count as stored bytes, also files that are refused', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  limitStored(1)
  const head = csv('email,firstname', ...Array.from({ length: 50_000 }, () => 'ada@example.test,Zoë'))
  const mixed = Buffer.concat([Buffer.from(head), Buffer.from('ada@example.test,Zo\xeb', 'latin1')])
  const upload = async () => {
    const response = await fetch(`${baseUrl}/api/v1/admin/customers/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
      body: mixed,
    })
    const { error_code } = (await response.json()) as { error_code: string }
    return error_code
  }

  const codes: string[] = []
  while (codes.at(-1) !== 'rate_limit.exceeded' && codes.length < 20) codes.push(await upload())

  assert.deepEqual([...new Set(codes)], ['import.not_utf8', 'rate_limit.exceeded'])
  assert.ok(codes.length >= 8, 'eight files of a megabyte fit')
  assert.equal(await bytesOf(store, 'import_chunks', 'bytes'), 0)
})

test('a change of a theme counts the vouchers that it writes', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  const { id } = await buildTheme(store)
  for (let n = 0; n < 40; n++) await buildVoucher(store, { voucherThemeId: id })
  limitStored(1)
  await useUpStoredBytes(store)
  const change = (n: number) =>
    request(`PATCH /admin/voucher-themes/${id}`, {
      token,
      body: { image: `https://images.example/${n}.png` },
    })

  const refused = await untilRefused(change)

  const { data } = await request(`GET /admin/voucher-themes/${id}`, { token })
  assert.deepEqual(outcomeOf(refused), REFUSED)
  assert.match(data.image, /\/[12]\d\.png$/)
})
