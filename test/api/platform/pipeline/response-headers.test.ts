import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildStore } from '#test/support/builders/store.ts'
import { baseUrl } from '#test/support/processes/app.ts'
import { moveToProduction } from '#test/support/processes/production.ts'

test('responses over https have Strict-Transport-Security, and over http do not', async (t) => {
  const paths = ['/health/live', '/api/v1/nowhere', '/docs', '/order']
  const read = () =>
    Promise.all(
      paths.map(async (path) => (await fetch(baseUrl + path)).headers.get('Strict-Transport-Security')),
    )
  const before = await read()

  moveToProduction(t)

  assert.deepEqual(before, Array(paths.length).fill(null))
  assert.deepEqual(await read(), Array(paths.length).fill('max-age=31536000'))
})

test('an answer of a store that a key names stays in the cache of the caller', async () => {
  const store = await buildStore()

  const { headers } = await fetch(`${baseUrl}/api/v1/products`, { headers: { 'X-Service-Key': store.key } })

  assert.match(headers.get('Cache-Control') ?? '', /^private, max-age=5, stale-while-revalidate=30$/)
  assert.match(headers.get('Vary') ?? '', /X-Service-Key/)
})
