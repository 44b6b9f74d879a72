import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSources } from './support/sources.ts'

const MAX_LENGTH = 120
/** A line of a comment, in TypeScript or in SQL. The formatter bounds the lines of code. */
const COMMENT = /^\s*(\/\/|\/\*|\*|--)/

test('no comment line has more than 120 characters', async () => {
  const folders = ['api', 'migrations', 'shared', 'test', 'workers']
  const files = (await Promise.all(folders.map(readSources))).flat()
  const long = files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        COMMENT.test(line) && line.length > MAX_LENGTH ? `${path}:${index + 1}` : [],
      ),
  )
  assert.deepEqual(long, [])
})
