import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { readSources } from '#test/rules/support/sources.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { cpuMs, leastMs, MAX_BLOCKED_MS } from '#test/support/measure/thread-cpu.ts'
import { rawRequest } from '#test/support/processes/app.ts'

/** Returns the response to a request, and the processor time that serving it took in this process, in milliseconds. */
async function timeOf(head: string): Promise<{ ms: number; answer: string }> {
  const before = cpuMs()
  const answer = await rawRequest(head)
  return { ms: cpuMs() - before, answer }
}

// `/cart` as well, because the query of a guest's path is read before the request is counted.
for (const [what, query] of [
  ['repeats one parameter', 'a&'.repeat(7_900)],
  ['repeats a parameter with several values', 'attribute&'.repeat(1_550)],
  ['separates many values by commas', `attribute=${','.repeat(15_000)}`],
  ['has many parameters', Array.from({ length: 3_000 }, (_, n) => n.toString(36)).join('&')],
] as const)
  for (const path of ['/products', '/cart'])
    test(`${path}: a query that fills the request's head and ${what} is refused in ${MAX_BLOCKED_MS} ms`, async () => {
      const { key } = await buildStore()
      const head = `GET /api/v1${path}?${query} HTTP/1.1\r\nHost: localhost\r\nX-Service-Key: ${key}\r\n`
      const { answer } = await timeOf(head)

      const ms = await leastMs(async () => (await timeOf(head)).ms)

      assert.match(answer, /^HTTP\/1.1 422 .*"error_code":"validation.failed"/s)
      assert.ok(ms <= MAX_BLOCKED_MS, `${ms} ms`)
    })

test('no source reads the query by the framework, which compares each parameter with all others', async () => {
  const sources = (await Promise.all(['api', 'shared', 'workers'].map(readSources))).flat()
  const readers = sources.filter(({ text }) =>
    /\b(ctx|context|request)\.query\b|\{[^}]*\bquery\b[^}]*\} = ctx\b/.test(text),
  )

  assert.deepEqual(
    readers.map(({ path }) => path),
    [],
  )
})
