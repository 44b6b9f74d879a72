import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { stopParsingWhenDestroyed } from '#api/platform/pipeline/stop-parsing.ts'

const REQUESTS = 2_000

/** Sends many requests in one packet to a server that closes the connection at the third. Counts the parsed ones. */
async function parsed(prepare: (socket: Socket) => void): Promise<number> {
  let count = 0
  const server = createServer((request) => {
    count += 1
    if (count === 3) request.socket.destroy()
  })
  server.on('connection', prepare)
  after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(REQUESTS))
  await once(client, 'close')
  return count
}

test('no request is parsed after its connection is destroyed', async () => {
  assert.equal(await parsed(stopParsingWhenDestroyed), 3)
})

test('control: Node alone parses all that it has received', async () => {
  assert.equal(await parsed(() => {}), REQUESTS)
})
