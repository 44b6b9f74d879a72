import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSources } from '#test/rules/support/sources.ts'

/**
 * The ways to read a time, and the only files that may. All others use shared/platform/time/clock.ts, which a test can
 * set.
 */
const TIMES: { name: string; pattern: RegExp; files: RegExp }[] = [
  {
    name: "the machine's time",
    pattern: /\bDate\.now\b|\bnew Date\(\)/,
    files: /^shared\/platform\/time\/clock\.ts$/,
  },
  {
    // A rate of calls per second is not moved with the clock. All its times are the database's.
    name: "the database's time",
    pattern:
      /\b(clock|statement|transaction)_timestamp\b|\b(current|local)_?timestamp\b|\bnow\(\)\s*[-+]\s*interval|default now\(\)/i,
    files: /^shared\/platform\/throttle\/(throttle|purge-rate-limits)\.ts$/,
  },
]

const sources = (await Promise.all(['api', 'shared', 'workers'].map(readSources))).flat()

for (const { name, pattern, files } of TIMES)
  test(`only its own files read ${name}`, () => {
    const readers = sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

    assert.deepEqual(
      readers.filter((path) => !files.test(path)),
      [],
    )
    assert.ok(readers.length > 0, 'the pattern finds the permitted files')
  })

test('only tests set the clock', () => {
  const setters = sources.filter(({ text }) => /\bsetClock\b|SANDBOX_CLOCK/.test(text))

  assert.deepEqual(
    setters.map(({ path }) => path),
    ['shared/platform/time/clock.ts'],
  )
})
