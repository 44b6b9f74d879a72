import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { queryDns } from '#shared/platform/net/query-dns.ts'

const ADDRESSES = 4_000
const HEADER_BYTES = 12
const RECORDS = Buffer.concat(
  Array.from({ length: ADDRESSES }, (_, n) =>
    Buffer.from([0xc0, HEADER_BYTES, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, n >> 8, n & 255]),
  ),
)

/** Returns a response with `count` A records; with 0, a truncated one, after which the client asks by TCP. */
function respond(query: Buffer, count: number): Buffer {
  let end = HEADER_BYTES
  while (query.readUInt8(end) > 0) end += 1 + query.readUInt8(end)
  const question = query.subarray(HEADER_BYTES, end + 5)
  const isForIpv4 = query.readUInt16BE(end + 1) === 1
  const records = isForIpv4 ? count : 0
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(count === 0 ? 0x8380 : 0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records, 6)
  return Buffer.concat([header, question, ...(records > 0 ? [RECORDS] : [])])
}

/** Starts a name server that sends many addresses for each name. Returns its address. */
async function startServer(): Promise<string> {
  const tcp = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      // A packet can have the queries of both kinds of addresses, each after its length.
      for (let at = 0; at < bytes.length; at += 2 + bytes.readUInt16BE(at)) {
        const response = respond(bytes.subarray(at + 2), ADDRESSES)
        const length = Buffer.alloc(2)
        length.writeUInt16BE(response.length)
        socket.write(Buffer.concat([length, response]))
      }
    })
  })
  await once(tcp.listen(0, '127.0.0.1'), 'listening')
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4')
  udp.on('message', (query, from) => udp.send(respond(query, 0), from.port, from.address))
  await once(udp.bind(port, '127.0.0.1'), 'listening')
  after(() => {
    tcp.close()
    udp.close()
  })
  return `127.0.0.1:${port}`
}

const address = await startServer()
const query = (name: string) => queryDns({ name, records: 'addresses', servers: [address], timeoutMs: 2_000 })

/** Returns the processor time of this thread for 20 look-ups, in microseconds. */
async function cpuOf(lookUp: (name: string) => Promise<unknown>): Promise<number> {
  await lookUp('warm.example')
  const before = process.threadCpuUsage()
  for (let n = 0; n < 20; n++) await lookUp(`host-${n}.example`)
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

test('a name with 4,000 addresses returns the first 100', async () => {
  const found = await query('many.example')

  assert.equal(found.length, 100)
  assert.equal(found[99], '93.184.0.99')
})

test('a name server that sends 4,000 addresses takes little time of the calling thread', async () => {
  const dns = new Resolver()
  dns.setServers([address])
  // Both include the time that the server of this test takes in the same thread.
  const [own, direct] = [await cpuOf(query), await cpuOf((name) => dns.resolve4(name))]

  assert.ok(own < direct / 2, `${own} µs of ${direct} µs in the same thread`)
})

test('a query to a name server that does not respond fails, and delays no query to another one', async () => {
  const silent = createSocket('udp4')
  await once(silent.bind(0, '127.0.0.1'), 'listening')
  after(() => silent.close())
  const servers = [`127.0.0.1:${silent.address().port}`]
  let hasFailed = false
  const failing = queryDns({ name: 'a.example', records: 'texts', servers, timeoutMs: 2_000 })
  const failed = assert.rejects(failing, /ETIMEOUT: DNS query of a\.example/).then(() => {
    hasFailed = true
  })

  await query('b.example')

  assert.equal(hasFailed, false)
  await failed
})
