import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { baseUrl } from '#test/support/processes/app.ts'

for (const path of ['/openapi.json', '/api/v1/openapi.json'])
  test(`GET ${path} returns the committed description, and 304 for its ETag`, async () => {
    const response = await fetch(baseUrl + path)
    const text = await response.text()
    const etag = response.headers.get('etag') ?? ''
    const again = await fetch(baseUrl + path, {
      headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' },
    })

    assert.equal(text, await readFile('api/openapi.json', 'utf8'))
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.equal(again.status, 304)
    assert.equal(await again.text(), '')
  })

test('the reference page and its files are served', async () => {
  for (const path of ['/docs', '/docs/start.js', '/docs/swagger-ui.css'])
    assert.equal((await fetch(baseUrl + path)).status, 200, path)
  assert.ok((await fetch(`${baseUrl}/docs/package.json`)).status >= 400)
})
