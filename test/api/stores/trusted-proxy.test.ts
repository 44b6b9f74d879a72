import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { rereadConfig } from '#shared/platform/config.ts'
import { buildStore } from '#test/support/build.ts'

process.env.TRUST_PROXY = 'true'
rereadConfig()
const { rawRequest } = await import('#test/support/app.ts')

const visit = (...headers: string[]) =>
  rawRequest(`GET /api/v1/settings/store-info HTTP/1.1\r\n${headers.join('\r\n')}\r\n`)

test('behind a trusted proxy the forwarded host names the store', async () => {
  const [store, other] = [await buildStore(), await buildStore()]

  const answer = await visit(`Host: ${other.domain}`, `X-Forwarded-Host: ${store.domain.toUpperCase()}.`)

  assert.match(answer, new RegExp(`"slug":"${store.slug}"`))
})

test('two forwarded hosts are refused: they could name two stores', async () => {
  const [store, other] = [await buildStore(), await buildStore()]

  const answer = await visit(
    'Host: proxy.example',
    `X-Forwarded-Host: ${store.domain}`,
    `X-Forwarded-Host: ${other.domain}`,
  )

  assert.match(answer, /^HTTP\/1.1 400/)
})
