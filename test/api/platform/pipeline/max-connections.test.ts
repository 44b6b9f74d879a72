import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import '#test/support/database.ts'
import { createHttpServer } from '#api/platform/pipeline/http-server.ts'
import { resetConfig } from '#shared/platform/config/config.ts'

test('a connection past MAX_CONNECTIONS is closed, and those before it are served', async () => {
  process.env.MAX_CONNECTIONS = '2'
  resetConfig()
  after(() => {
    delete process.env.MAX_CONNECTIONS
    resetConfig()
  })
  const server = createHttpServer((_, response) => response.end('served')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    after(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  after(() => server.close())
  const [first, second] = [await open(), await open()]

  const third = await open()
  await once(third, 'close')
  first.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [answer] = await once(first, 'data')

  assert.match(String(answer), /served/)
  assert.equal(second.destroyed, false)
})
