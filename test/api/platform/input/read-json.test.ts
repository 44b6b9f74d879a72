import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import '#test/support/database.ts'
import Koa from 'koa'
import { readJson } from '#api/platform/input/read-json.ts'
import { watchLoopTurns } from '#test/support/measure/loop-turns.ts'
import { longestTurn, MAX_BLOCKED_MS } from '#test/support/measure/thread-cpu.ts'

/** The context of a request whose body arrives in these packets. */
function contextOf(packets: Uint8Array[]) {
  const req = new IncomingMessage(new Socket())
  req.method = 'POST'
  req.url = '/'
  req.headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  for (const packet of packets) req.push(packet)
  req.push(null)
  return new Koa().createContext(req, new ServerResponse(req))
}

test('a character split over two packets is read whole', async () => {
  const sent = { password: 'naïve 💩 naïve' }
  const body = Buffer.from(JSON.stringify(sent))
  const middle = body.indexOf(0xf0) + 2

  const read = await readJson(contextOf([body.subarray(0, middle), body.subarray(middle)]), 1_000, 'open')

  assert.deepEqual(read, sent)
})

test('a body that ends within a character returns 400', async () => {
  const body = Buffer.from(JSON.stringify({ password: '💩' }))
  const cut = contextOf([body.subarray(0, body.indexOf(0xf0) + 2)])

  await assert.rejects(readJson(cut, 1_000, 'open'), { code: 'request.malformed' })
})

const PACKET_BYTES = 64 * 1024

for (const [name, body] of [
  ['objects with a name each', `[${Array.from({ length: 49_000 }, (_, n) => `{"a${n}":1}`).join()}]`],
  ['an object of many names', `{${Array.from({ length: 70_000 }, (_, n) => `"a${n}":1`).join()}}`],
] as const)
  test(`${name} are refused without blocking other requests`, async () => {
    const bytes = Buffer.from(body)
    const read = async () => {
      const count = Math.ceil(bytes.length / PACKET_BYTES)
      const packets = Array.from({ length: count }, (_, n) =>
        bytes.subarray(n * PACKET_BYTES, (n + 1) * PACKET_BYTES),
      )
      await assert.rejects(readJson(contextOf(packets), 1024 * 1024, 'staff'), /different names/)
    }

    const ms = await longestTurn(read)

    assert.ok(ms <= MAX_BLOCKED_MS, `${ms} ms`)
  })

test('each turn of the event loop reads a piece of one of ten bodies of 1 MB that arrive at once', async () => {
  const packet = Buffer.from(`"${'x'.repeat(PACKET_BYTES - 3)}",`)
  const packets = [Buffer.from('['), ...Array<Buffer>(15).fill(packet), Buffer.from('0]')]
  const contexts = Array.from({ length: 10 }, () => contextOf(packets))
  using turns = watchLoopTurns()
  for (const { req } of contexts) req.on('data', turns.note)

  await Promise.all(contexts.map((ctx) => readJson(ctx, 1024 * 1024, 'staff')))

  // All of them begin in the first turn.
  assert.ok(turns.most <= 11, `${turns.most} pieces in one turn`)
})
