import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_PATHS } from '#shared/stores/links.ts'
import { baseUrl } from '#test/support/app.ts'

test('each page that a mail links to is in the reader’s language and sends no referrer', async () => {
  const { order: _, ...forms } = DEFAULT_PATHS
  for (const path of Object.values(forms)) {
    const german = await fetch(`${baseUrl}${path}`, { headers: { 'Accept-Language': 'de-CH, en;q=0.5' } })
    const other = await fetch(`${baseUrl}${path}`, { headers: { 'Accept-Language': 'fr' } })

    assert.equal(german.status, 200, path)
    assert.equal(other.status, 200, path)
    const page = await german.text()
    assert.match(page, /<html lang="de">/)
    assert.match(page, /<form method="post"/, 'without its script it writes no password into the address')
    assert.match(await other.text(), /<html lang="en">/)
    assert.equal(german.headers.get('Referrer-Policy'), 'no-referrer')
    assert.match(
      german.headers.get('Content-Security-Policy') ?? '',
      /^default-src 'self'; frame-ancestors 'none'/,
    )
  }
})
