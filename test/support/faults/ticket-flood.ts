import { createCipheriv, createHmac } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'

/** A session ticket of TLS 1.3 (RFC 8446, section 4.6.1) with one byte. It lasts for no time. */
const TICKET = Buffer.from([4, 0, 0, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 65, 0, 0])
const TICKETS_PER_RECORD = 800
const HANDSHAKE = Buffer.from([22])
const ENCRYPTED_RECORD = 23
const TAG_BYTES = 16

/** Expands a traffic secret (RFC 8446, section 7.1) to `length` bytes, at most 32. */
function expand(secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`)
  const info = Buffer.from([0, length, name.length, ...name, 0, 1])
  return createHmac('sha256', secret).update(info).digest().subarray(0, length)
}

/** Returns a function that encrypts the next record of a server with TLS_AES_128_GCM_SHA256. */
function recordsOf(secret: Buffer, alreadySent: number): (content: Buffer) => Buffer {
  const key = expand(secret, 'key', 16)
  const iv = expand(secret, 'iv', 12)
  let sequence = BigInt(alreadySent)
  return (content) => {
    const nonce = Buffer.from(iv)
    nonce.writeBigUInt64BE(nonce.readBigUInt64BE(4) ^ sequence++, 4)
    const length = content.length + TAG_BYTES
    const head = Buffer.from([ENCRYPTED_RECORD, 3, 3, length >> 8, length & 255])
    const cipher = createCipheriv('aes-128-gcm', key, nonce).setAAD(head)
    return Buffer.concat([head, cipher.update(content), cipher.final(), cipher.getAuthTag()])
  }
}

const countRecords = (bytes: Buffer): number => {
  let records = 0
  for (let at = 0; at + 5 <= bytes.length; at += 5 + bytes.readUInt16BE(at + 3)) records += 1
  return records
}

/**
 * Creates a server that responds to each request by TLS with session tickets and no data, and closes the connection
 * after `bytes`.
 */
export function floodWithTickets({ key, cert }: { key: Buffer; cert: Buffer }, bytes: number): Server {
  const secureContext = createSecureContext({
    key,
    cert,
    minVersion: 'TLSv1.3',
    ciphers: 'TLS_AES_128_GCM_SHA256',
  })
  return createServer((socket) => {
    let received = 0
    let records = 0
    let secret: Buffer | undefined
    const wire = new Duplex({
      read() {},
      write(written, _encoding, done) {
        // The client's second flight ends the handshake. What the server sends then has the keys of the data.
        if (received > 1) records += countRecords(written)
        socket.write(written, done)
      },
    })
    socket
      .on('error', () => {})
      .on('data', (read) => {
        received += 1
        wire.push(read)
      })
    const tls = new TLSSocket(wire, { isServer: true, secureContext })
    tls.on('keylog', (line) => {
      const [label, , hex = ''] = String(line).trim().split(' ')
      if (label === 'SERVER_TRAFFIC_SECRET_0') secret = Buffer.from(hex, 'hex')
    })
    tls
      .on('error', () => {})
      .once('data', () => secret && sendTickets(socket, recordsOf(secret, records), bytes))
  })
}

function sendTickets(socket: Socket, encrypt: (content: Buffer) => Buffer, bytes: number): void {
  const tickets = Buffer.concat([...Array(TICKETS_PER_RECORD).fill(TICKET), HANDSHAKE])
  const send = () => {
    while (!socket.destroyed && socket.bytesWritten < bytes)
      if (!socket.write(encrypt(tickets))) return void socket.once('drain', send)
    socket.end()
  }
  send()
}
