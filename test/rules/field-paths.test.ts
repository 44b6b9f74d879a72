import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

const REQUEST_PART = /\[\s*'(path|query|header|body)',/

test('a domain names invalid fields without the part of the request', async () => {
  const offending: string[] = []
  for await (const file of glob('shared/**/*.ts'))
    for (const [index, line] of (await readFile(file, 'utf8')).split('\n').entries())
      if (REQUEST_PART.test(line)) offending.push(`${file}:${index + 1} ${line.trim()}`)

  assert.deepEqual(offending, [])
})
