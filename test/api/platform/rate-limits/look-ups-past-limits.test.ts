import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { newTokenText } from '#shared/staff/api-tokens/token-text.ts'
import { buildApiToken, buildCustomer } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { request } from '#test/support/processes/app.ts'

type Variable = 'LIMIT_API' | 'LIMIT_NETWORK'

function setLimit(variable: Variable, perMinute: number): void {
  process.env[variable] = String(perMinute)
  resetConfig()
}

// Each test has an earlier hour than the next one, because a used-up limit stays in the process for its minute.
afterEach(async () => {
  setLimit('LIMIT_API', 0)
  setLimit('LIMIT_NETWORK', 0)
  await db()('rate_limits').delete()
})

test('past the limit of an address its unknown API tokens are not looked up; those in use are', async () => {
  moveClock(-4 * HOUR_MS)
  setLimit('LIMIT_API', 30)
  const store = await buildStore()
  const { token } = await buildApiToken(store, 'catalog:read')
  const list = (as: string) => request('GET /admin/products', { token: as })
  const guess = () => list(newTokenText(store.id, 'test'))
  assert.equal((await list(token)).status, 200)
  for (let n = 0; n < 40; n++) await guess()

  const ofOwnAccount = () => request('GET /auth/activity', { token: newTokenText(store.id, 'test') })
  const statements = await countStatements(async () => {
    assert.equal((await guess()).status, 429)
    assert.equal((await ofOwnAccount()).status, 429)
  })

  assert.equal(statements, 0)
  assert.equal((await list(token)).status, 200)
})

test('past the limit an unknown API token is not looked up, even if a storefront request has carried it', async () => {
  moveClock(-3 * HOUR_MS)
  setLimit('LIMIT_API', 30)
  const store = await buildStore()
  const forged = newTokenText(store.id, 'test')
  await request('GET /products', { store, token: forged })
  for (let n = 0; n < 40; n++) await request('GET /admin/products', { token: newTokenText(store.id, 'test') })

  const statements = await countStatements(async () =>
    assert.equal((await request('GET /admin/products', { token: forged })).status, 429),
  )

  assert.equal(statements, 0)
})

test('an address past its limit of refused requests may still use a valid API token for the first time', async () => {
  moveClock(-2 * HOUR_MS)
  setLimit('LIMIT_API', 30)
  const store = await buildStore()
  const { token } = await buildApiToken(store, 'catalog:read')
  for (let n = 0; n < 40; n++) await request('GET /admin/products', { token: 'abc.def.ghi' })

  assert.equal((await request('GET /admin/products', { token })).status, 200)
})

test('past the limit of a network neither the store nor the caller of its requests is looked up', async () => {
  moveClock(-HOUR_MS)
  setLimit('LIMIT_NETWORK', 30)
  const store = await buildStore()
  const { token } = await buildCustomer(store)
  const read = () => request('GET /addresses', { store, token })
  for (let n = 0; n < 40; n++) await read()

  const statements = await countStatements(async () => assert.equal((await read()).status, 429))

  assert.equal(statements, 0)
})
