import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { ignoreBody, stopParsingWhenClosed } from '#api/platform/pipeline/stop-parsing.ts'

const REQUESTS = 2_000

/** Sends many requests in one packet to a server that closes the connection at the third. Counts the parsed ones. */
async function parsed(
  prepare: (socket: Socket) => void,
  end: (socket: Socket) => void = (socket) => socket.destroy(),
): Promise<number> {
  let count = 0
  const server = createServer((request) => {
    count += 1
    if (count === 3) end(request.socket)
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

test('no request is parsed after its connection is ended or destroyed', async () => {
  assert.equal(await parsed(stopParsingWhenClosed), 3)
  assert.equal(await parsed(stopParsingWhenClosed, (socket) => socket.destroySoon()), 3)
})

/** Sends 5,000 chunks of one byte to a server that reads them up to the third. Returns how many reached it. */
async function chunksParsed(refuse: (socket: Socket) => void): Promise<number> {
  let count = 0
  const server = createServer((request) => {
    const push = request.push.bind(request)
    request.push = (chunk) => {
      count += 1
      if (count === 3) refuse(request.socket)
      return push(chunk)
    }
  })
  after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
  client.write(head + '1\r\na\r\n'.repeat(5_000))
  await once(client, 'close')
  return count
}

test('after a body is ignored, no chunk of it is read; the body of the next connection is read', async () => {
  const ignore = (socket: Socket) => {
    ignoreBody(socket)
    socket.destroy()
  }

  assert.equal(await chunksParsed(ignore), 3)
  assert.equal(await chunksParsed(ignore), 3)
})

test('control: Node alone parses all chunks that it has received', async () => {
  assert.ok((await chunksParsed((socket) => socket.destroy())) > 1_000)
})

test('control: Node alone parses all that it has received', async () => {
  assert.equal(await parsed(() => {}), REQUESTS)
})
