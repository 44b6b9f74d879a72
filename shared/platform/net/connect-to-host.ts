import { connect, type LookupFunction, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { networkOfAddress } from './network-of-address.ts'

/**
 * The most bytes before a TLS connection is established. Long chains of certificates with many names have 8 KB, and a
 * server that asks for certificates names its authorities.
 */
const MAX_HANDSHAKE_BYTES = 16 * 1024

/** An ordinary chain is verified in 2 to 5 ms. */
const SLOW_MS = 30
/** How many milliseconds a network is refused for each millisecond that certificates took: 1 % of a process. */
const REFUSED_MS_PER_MS = 100

/**
 * The networks of hosts whose certificates took long to verify and failed. 16 KB of certificates can still take 180 ms,
 * and each connection would verify them again. No known authority issues such certificates.
 */
const slowNetworks = new LRUCache<string, true>({ max: 1_000 })

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
    // TLS over a stream cannot set these options later.
    const socket = connect({ host, port: Number(port || 443), lookup, noDelay: true, keepAlive: true })
    const timer = setTimeout(() => socket.destroy(new Error(`${host} does not respond`)), timeout)
    const end: Established = (...result) => {
      clearTimeout(timer)
      callback(...result)
    }
    const fail = (error: Error) => end(error, null)
    socket.once('error', fail).once('connect', () => {
      socket.off('error', fail)
      try {
        establishOver(socket)
      } catch (error) {
        socket.destroy()
        fail(error as Error)
      }
    })

    function establishOver(connected: Socket): void {
      const network = networkOfAddress(connected.remoteAddress ?? '')
      if (slowNetworks.has(network)) throw new Error(`${host} sent certificates that take too long to verify`)
      const stream = new GuardedStream(connected)
      establish({ ...options, httpSocket: stream as unknown as Socket }, (...result) => {
        stream.isEstablished = true
        const tookMs = stream.longestMs()
        if (result[0] && tookMs > SLOW_MS)
          slowNetworks.set(network, true, { ttl: tookMs * REFUSED_MS_PER_MS })
        end(...result)
      })
    }
  }
}

/** The bytes of a socket. It ends with an error if the host sends too many before the connection is established. */
class GuardedStream extends Duplex {
  isEstablished = false
  #longestMs = 0
  /** The processor time at which TLS began to read a piece. */
  #startedAt: NodeJS.CpuUsage | undefined
  readonly #socket: Socket
  #received = 0

  constructor(socket: Socket) {
    super()
    this.#socket = socket
    socket.on('data', (bytes) => this.#receive(bytes))
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    // What has arrived before the end is still read.
    socket.on('close', () => !socket.readableEnded && this.destroy())
  }

  #receive(bytes: Buffer): void {
    this.#received += bytes.length
    if (!this.isEstablished && this.#received > MAX_HANDSHAKE_BYTES)
      this.destroy(new Error('the host sends too much before the connection is established'))
    else if (!this.#pass(bytes)) this.#socket.pause()
  }

  /** TLS reads the bytes within `push`. */
  #pass(bytes: Buffer): boolean {
    if (this.isEstablished) return this.push(bytes)
    this.#startedAt = process.threadCpuUsage()
    const hasRoom = this.push(bytes)
    this.#longestMs = this.longestMs()
    this.#startedAt = undefined
    return hasRoom
  }

  /** The longest processor time in which TLS has read a piece before the connection was established. */
  longestMs(): number {
    if (!this.#startedAt) return this.#longestMs
    const { user, system } = process.threadCpuUsage(this.#startedAt)
    return Math.max(this.#longestMs, (user + system) / 1_000)
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done)
  }

  override _final(done: () => void): void {
    // The host may have ended first: then there is nothing left to end.
    this.#socket.end(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}
