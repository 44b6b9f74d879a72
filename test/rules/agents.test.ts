import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const CREATES_AGENT = /new Agent\(\{([^}]*)/g

test('every HTTP client for store-configured hosts sets an idle time-out', () => {
  const options = globSync('{api,shared,workers}/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(CREATES_AGENT)].map(([, text = '']) => ({ file, text })),
  )

  assert.ok(options.length >= 3)
  assert.deepEqual(
    options.filter(({ text }) => !text.includes('...keepAliveFor(')).map(({ file }) => file),
    [],
  )
})
