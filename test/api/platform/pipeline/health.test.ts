import assert from 'node:assert/strict'
import { test } from 'node:test'
import { config } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { baseUrl, rawRequest } from '#test/support/app.ts'

const read = async (path: string) => {
  const response = await fetch(baseUrl + path)
  return { status: response.status, text: await response.text() }
}

test('a healthy process is live and ready', async () => {
  assert.equal((await read('/health/live')).status, 200)

  const { status, text } = await read('/health/ready')

  assert.equal(status, 200)
  assert.deepEqual(JSON.parse(text).checks, { database: true, queue: true, migrations: true })
})

test('a missing migration makes the process not ready but still live', async () => {
  const [name] = await db()('knex_migrations').orderBy('id', 'desc').limit(1).pluck('name')
  await db()('knex_migrations').where({ name }).delete()

  const { status, text } = await read('/health/ready')

  assert.equal(status, 503)
  assert.equal(JSON.parse(text).checks.migrations, false)
  assert.equal((await read('/health/live')).status, 200)
})

test('the public listener has no metrics', async () => {
  assert.equal((await read('/metrics')).status, 404)
})

test("security.txt names the operator's contact on every host", async () => {
  const answer = await rawRequest('GET /.well-known/security.txt HTTP/1.1\r\nHost: shop.example\r\n')

  const { hostname } = new URL(config().PUBLIC_URL)
  assert.match(answer, new RegExp(`Contact: mailto:security@${hostname}\\n`))
})
