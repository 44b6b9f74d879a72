import { connect, type LookupFunction, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'

/** The most bytes before a TLS connection is established. Long chains of certificates with many names have 8 KB. */
const MAX_HANDSHAKE_BYTES = 12 * 1024

/** An ordinary chain is verified in 2 to 5 ms. */
const SLOW_MS = 30
const REFUSED_MS = 10 * MINUTE_MS

/**
 * The machines that sent certificates which failed after much processor time. 12 KB of them can still take 140 ms, and
 * each connection would verify them again. No known authority issues such certificates.
 */
const slowMachines = new LRUCache<string, true>({ max: 1_000, ttl: REFUSED_MS })

/** Returns the IPv4 address, or the IPv6 /64 network, which belongs to one machine. */
function machineOf(address: string): string {
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? `${parsed}`
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString()
}

interface Options {
  lookup: LookupFunction
  /** The most milliseconds until the connection is established. */
  timeout: number
}

interface HostOptions {
  protocol: string
  hostname: string
  port: string
  httpSocket?: Socket
}

type Established = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void

/** Establishes a connection, with TLS over `httpSocket` if that is given. */
type Connect<O> = (options: O, callback: Established) => void

/**
 * Returns a connector for a client (undici) of hosts that stores configured. It limits the bytes that a host sends
 * before a TLS connection is established. OpenSSL verifies the whole chain of certificates in one turn of the event
 * loop, also one that ends at no known root: 95 certificates of slow curves in 48 KB would block it for half a second.
 */
export function connectToHost<O extends HostOptions>(
  buildConnector: (options: Options) => Connect<O>,
  { lookup, timeout }: Options,
): Connect<O> {
  const establish = buildConnector({ lookup, timeout })
  return (options, callback) => {
    if (options.protocol !== 'https:') return establish(options, callback)
    const { hostname: host, port } = options
    const socket = connect({ host, port: Number(port || 443), lookup })
    const late = setTimeout(() => socket.destroy(new Error(`${host} does not respond`)), timeout)
    const fail = (error: Error) => {
      clearTimeout(late)
      callback(error, null)
    }
    socket.once('error', fail).once('connect', () => {
      clearTimeout(late)
      socket.off('error', fail)
      const { remoteAddress } = socket
      const machine = remoteAddress ? machineOf(remoteAddress) : ''
      if (slowMachines.has(machine)) {
        socket.destroy()
        return callback(new Error(`${host} sent certificates that take too long to verify`), null)
      }
      const bytes = new HandshakeBytes(socket)
      establish({ ...options, httpSocket: bytes as unknown as Socket }, (...result) => {
        bytes.isEstablished = true
        if (result[0] && bytes.longestMs() > SLOW_MS) slowMachines.set(machine, true)
        callback(...result)
      })
    })
  }
}

/** The bytes of a socket. It ends with an error if the host sends too many before the connection is established. */
class HandshakeBytes extends Duplex {
  isEstablished = false
  #longestMs = 0
  /** The processor time at which TLS began to read a piece. */
  #begun: NodeJS.CpuUsage | undefined
  readonly #socket: Socket
  #received = 0

  constructor(socket: Socket) {
    super()
    this.#socket = socket
    socket.on('data', (bytes) => this.#receive(bytes))
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  #receive(bytes: Buffer): void {
    this.#received += bytes.length
    if (!this.isEstablished && this.#received > MAX_HANDSHAKE_BYTES)
      this.destroy(new Error('the host sends too many certificates'))
    else if (!this.#pass(bytes)) this.#socket.pause()
  }

  /** TLS reads the bytes within `push`. */
  #pass(bytes: Buffer): boolean {
    if (this.isEstablished) return this.push(bytes)
    this.#begun = process.threadCpuUsage()
    const hasRoom = this.push(bytes)
    this.#longestMs = this.longestMs()
    this.#begun = undefined
    return hasRoom
  }

  /** The longest processor time in which TLS has read a piece before the connection was established. */
  longestMs(): number {
    if (!this.#begun) return this.#longestMs
    const { user, system } = process.threadCpuUsage(this.#begun)
    return Math.max(this.#longestMs, (user + system) / 1_000)
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done)
  }

  override _final(done: () => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}
