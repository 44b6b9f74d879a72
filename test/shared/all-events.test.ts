import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

test('shared/all-events.ts loads every domain that declares events', async () => {
  const files = await Array.fromAsync(glob('shared/*/events.ts'))
  const list = await readFile('shared/all-events.ts', 'utf8')

  const missing = files.filter((file) => !file.includes('platform') && !list.includes(`#${file}`))

  assert.deepEqual(missing, [])
})
