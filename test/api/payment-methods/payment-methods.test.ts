import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildApiToken, buildStaff } from '#test/support/builders/accounts.ts'
import { buildPaymentMethods } from '#test/support/builders/methods.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { moveToProduction } from '#test/support/processes/production.ts'

/** A store's administrator, who may do all of this. */
async function office() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  return { store, token }
}

test('GET /admin/payment-methods lists every method; in a new store all are inactive', async () => {
  const { store, token } = await office()

  const { data } = await request('GET /admin/payment-methods', { token })

  const codes = data.map(({ code }: { code: string }) => code)
  for (const code of ['card', 'bank_transfer', 'cash_on_delivery', 'sandbox']) assert.ok(codes.includes(code))
  assert.ok(data.every(({ is_active }: { is_active: boolean }) => !is_active))
  assert.deepEqual((await request('GET /settings/payment-methods', { store })).data, [])
})

test('PATCH /admin/payment-methods/{code} activates a method, and the storefront shows it immediately', async () => {
  const { store, token } = await office()
  const path = '/admin/payment-methods/bank_transfer'
  const body = {
    is_active: true,
    name_i18n: { en: 'Transfer', de: 'Überweisung' },
    instructions_i18n: { en: 'Pay to DE02.' },
    position: 0,
  }

  const { status, data } = await request(`PATCH ${path}`, { token, body })
  await request('PATCH /admin/payment-methods/card', { token, body: { is_active: true, position: 1 } })

  assert.equal(status, 200)
  assert.deepEqual(data, { code: 'bank_transfer', ...body })
  assert.deepEqual((await request(`GET ${path}`, { token })).data, data)
  const shown = await request('GET /settings/payment-methods', {
    store,
    headers: { 'Accept-Language': 'de' },
  })
  assert.partialDeepStrictEqual(shown.data, [
    { code: 'bank_transfer', name: 'Überweisung', instructions: 'Pay to DE02.' },
    { code: 'card', name: 'Card', instructions: '' },
  ])
  assert.equal(shown.data.length, 2)
  await request(`PATCH ${path}`, { token, body: { is_active: false } })
  const left = await request('GET /settings/payment-methods', { store })
  assert.deepEqual(left.data.length, 1)
})

test('a stale If-Match returns resource.changed, an invalid field 422 and an unknown method 404', async () => {
  const { token } = await office()
  const path = '/admin/payment-methods/card'
  const { headers } = await request(`GET ${path}`, { token })
  const stale = { 'If-Match': headers.get('etag') ?? '' }

  assert.equal(
    (await request(`PATCH ${path}`, { token, body: { is_active: true }, headers: stale })).status,
    200,
  )
  const late = await request(`PATCH ${path}`, { token, body: { is_active: false }, headers: stale })
  assert.equal(late.error_code, 'resource.changed')
  for (const body of [{}, { is_active: 'yes' }, { name_i18n: {} }, { position: -1 }, { code: 'x' }])
    assert.equal((await request(`PATCH ${path}`, { token, body })).status, 422)
  for (const line of ['GET /admin/payment-methods/barter', 'PATCH /admin/payment-methods/barter'])
    assert.equal(
      (await request(line, { token, ...(line.startsWith('P') ? { body: { is_active: true } } : {}) })).status,
      404,
    )
})

test('the owner is mailed the texts of a payment method that staff or an API token change, and only these', async () => {
  const { store, token } = await office()
  const owner = await buildStaff(store, { role: 'owner' })
  const program = await buildApiToken(store, 'system:read', 'system:write')
  const change = async (by: string, body: object) =>
    assert.equal(
      (await request('PATCH /admin/payment-methods/bank_transfer', { token: by, body })).status,
      200,
    )
  mailbox.clear()

  await change(token, { instructions_i18n: { en: 'Pay to DE02.', de: 'An DE02.' } })
  await change(token, { is_active: true, position: 3 })
  await change(program.token, {
    name_i18n: { en: 'Transfer to LT99' },
    instructions_i18n: { en: 'Pay to LT99.', de: 'An DE02.' },
  })
  await drainJobs()

  const mails = mailbox.mails(owner.email).map(({ text }) => text)
  assert.equal(mails.length, 2)
  const [first = ''] = mails.filter((text) => !text.includes('An API token of '))
  const [second = ''] = mails.filter((text) => text.includes('An API token of '))
  assert.match(first, /bank_transfer/)
  assert.match(first, /Instructions \(en\), now.*Pay to DE02\./)
  assert.match(second, /Instructions \(en\), before.*Pay to DE02\./)
  assert.match(second, /Instructions \(en\), now.*Pay to LT99\./)
  assert.match(second, /Name \(en\), now.*Transfer to LT99/)
  assert.doesNotMatch(second, /An DE02/)
})

/** Returns a function that changes the instructions of bank transfers and returns the text of the mail to the owner. */
const instructionsChanger =
  (token: string, owner: { email: string }) => async (instructions_i18n: object) => {
    mailbox.clear()
    const body = { instructions_i18n }
    assert.equal((await request('PATCH /admin/payment-methods/bank_transfer', { token, body })).status, 200)
    await drainJobs()
    return mailbox.mails(owner.email)[0]?.text ?? ''
  }

const OTHERS = 'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce'.split(' ')

test('the mail to the owner shows all changed texts in languages of the store, and some of the others', async () => {
  const { store, token } = await office()
  const owner = await buildStaff(store, { role: 'owner' })
  await inStore(store.id, (tx) =>
    tx
      .knex('stores')
      .where({ id: store.id })
      .update({ languages: ['en', 'de', ...OTHERS.slice(0, 12)] }),
  )
  const change = instructionsChanger(token, owner)
  const inLanguages = (languages: string[]) => Object.fromEntries(languages.map((each) => [each, 'Hello']))

  const added = await change({ ...inLanguages(OTHERS.slice(12)), de: 'An DE02.' })
  const withNames = await change({ ...inLanguages(OTHERS), de: 'An LT99.' })
  const again = Object.fromEntries(OTHERS.map((each) => [each, 'Hello again']))
  const replaced = await change({ ...again, de: 'An FI77.' })

  assert.match(added, /Instructions \(de\), now.*An DE02\./)
  assert.match(withNames, /Instructions \(de\), now.*An LT99\./)
  assert.match(replaced, /Instructions \(de\), now.*An FI77\./)
  assert.match(replaced, /And 2 more texts/)
})

test('the mail to the owner shows a text that buyers read for want of one in a language of the store', async () => {
  const { store, token } = await office()
  const owner = await buildStaff(store, { role: 'owner' })
  await inStore(store.id, (tx) =>
    tx
      .knex('stores')
      .where({ id: store.id })
      .update({ languages: ['de'], default_language: 'de' }),
  )
  const change = instructionsChanger(token, owner)
  const many = Object.fromEntries(
    'aaa aab aac aad aae aaf aag aah aai aaj aak'.split(' ').map((each) => [each, 'Hello']),
  )
  await change({ en: 'To DE02.' })

  const replaced = await change({ ...many, en: 'To LT99.' })
  const renamed = await change({ ...many, zz: 'To FI77.' })

  assert.match(replaced, /Hinweise \(en\), jetzt.*To LT99\./)
  assert.match(renamed, /Hinweise \(zz\), jetzt.*To FI77\./)
})

test('in production the sandbox method is not listed and returns 404', async (t) => {
  const { store, token } = await office()
  await buildPaymentMethods(store, ['card', 'sandbox'])
  moveToProduction(t)
  const path = '/admin/payment-methods/sandbox'

  const listed = await request('GET /admin/payment-methods', { token })
  const changed = await request(`PATCH ${path}`, { token, body: { is_active: true } })

  assert.ok(!listed.data.some(({ code }: { code: string }) => code === 'sandbox'))
  assert.equal(changed.status, 404)
})
