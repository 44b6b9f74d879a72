import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import '#test/support/database.ts'
import { createHttpServer } from '#api/platform/pipeline/http-server.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { until } from '#test/support/races/until.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** A server of four connections that never answers `/slow`, and a function that connects to it from an address. */
async function scene(t: TestContext) {
  process.env.MAX_CONNECTIONS = '4'
  resetConfig()
  let received = 0
  const server = createHttpServer((request, response) => {
    received += 1
    if (request.url !== '/slow') response.end('served')
  })
  delete process.env.MAX_CONNECTIONS
  resetConfig()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const open = async (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const untilReceived = (count: number) => until(`${count} requests arrived`, async () => received === count)
  return { open, untilReceived }
}

const areClosed = (sockets: Socket[]) => sockets.map(({ destroyed }) => destroyed)

const closed = (socket: Socket | undefined) => new Promise((resolve) => socket?.once('close', resolve))

async function isServed(socket: Socket): Promise<boolean> {
  socket.write(REQUEST)
  const [answer] = await Promise.race([once(socket, 'data'), closed(socket).then(() => [])])
  return /served/.test(String(answer))
}

test('at the limit, a connection of a new address closes the longest idle one of the address with most connections', async (t) => {
  const { open } = await scene(t)
  const [first, second, third, fourth] = [await open(), await open(), await open(), await open()]
  assert.ok(await isServed(first))

  const other = await open('127.0.0.2')
  await closed(second)

  assert.deepEqual(await Promise.all([first, third, fourth, other].map(isServed)), [true, true, true, true])
})

test('at the limit without idle connections, one of a new address closes the oldest of the other address', async (t) => {
  const { open } = await scene(t)
  const own = [await open(), await open(), await open(), await open()]
  for (const socket of own) socket.write(REQUEST.replace('/ ', '/slow '))

  const other = await open('127.0.0.2')
  await closed(own[0])
  const served = await isServed(other)

  assert.equal(served, true)
  assert.deepEqual(areClosed(own), [true, false, false, false])
})

test('at the limit, a new connection closes the oldest of its own address whose request has not arrived', async (t) => {
  const { open, untilReceived } = await scene(t)
  const own = [await open(), await open(), await open(), await open()]
  const [complete, ...slow] = own
  complete?.write(REQUEST.replace('/ ', '/slow '))
  for (const socket of slow)
    socket.write(
      REQUEST.replace('GET / ', 'POST /slow ').replace('\r\n\r\n', '\r\nContent-Length: 900\r\n\r\n{'),
    )
  await untilReceived(4)

  const newest = await open()
  await closed(slow[0])

  assert.equal(await isServed(newest), true)
  assert.deepEqual(areClosed(own), [false, true, false, false])
})

test('at the limit, a new connection is refused while all of its own address wait for their responses', async (t) => {
  const { open, untilReceived } = await scene(t)
  const own = [await open(), await open(), await open(), await open()]
  for (const socket of own) socket.write(REQUEST.replace('/ ', '/slow '))
  await untilReceived(4)

  await closed(await open())

  assert.deepEqual(areClosed(own), [false, false, false, false])
})

test('the one of two addresses with fewer connections keeps them', async (t) => {
  const { open } = await scene(t)
  const few = await open('127.0.0.2')
  const many = [await open(), await open(), await open()]

  const newest = await open()
  await closed(many[0])

  assert.deepEqual(await Promise.all([few, newest].map(isServed)), [true, true])
})
