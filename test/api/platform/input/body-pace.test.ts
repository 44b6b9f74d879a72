import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { readAtPace } from '#api/platform/input/body-pace.ts'
import { streamBytes } from '#api/platform/input/stream-bytes.ts'

const tooSlow = { code: 'request.malformed', details: { why: 'its body arrives too slowly', closes: true } }

test('a body that arrives too slowly returns 400; a faster one is read', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const read = Promise.withResolvers<string>()

  const slow = readAtPace(16_000, () => new Promise<never>(() => {}))
  const fast = readAtPace(32_000, () => read.promise)
  t.mock.timers.tick(11_500)
  read.resolve('read')

  await assert.rejects(slow, tooSlow)
  assert.equal(await fast, 'read')
})

test('a body whose sender stops returns 400 after the bytes that it sent are read', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stream = new PassThrough()
  const chunks = streamBytes(stream as unknown as IncomingMessage, 1_000_000)
  stream.write('x'.repeat(16_000))
  const first = await chunks.next()

  const second = chunks.next()
  t.mock.timers.tick(12_000)

  assert.equal(first.value?.length, 16_000)
  await assert.rejects(second, tooSlow)
})

test('the time between two reads of the consumer does not count', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stream = new PassThrough()
  const chunks = streamBytes(stream as unknown as IncomingMessage, 1_000_000)
  stream.write('x')
  await chunks.next()
  t.mock.timers.tick(60_000)

  const last = chunks.next()
  stream.end('y')

  assert.equal(String((await last).value), 'y')
  assert.equal((await chunks.next()).done, true)
})
