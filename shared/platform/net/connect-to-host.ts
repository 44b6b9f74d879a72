import { connect, type LookupFunction, type Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** The most bytes before a TLS connection is established. Long chains of certificates with many names have 8 KB. */
const MAX_HANDSHAKE_BYTES = 12 * 1024

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
      const bytes = new HandshakeBytes(socket)
      establish({ ...options, httpSocket: bytes as unknown as Socket }, (...result) => {
        bytes.isEstablished = true
        callback(...result)
      })
    })
  }
}

/** The bytes of a socket. It ends with an error if the host sends too many before the connection is established. */
class HandshakeBytes extends Duplex {
  isEstablished = false
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
    else if (!this.push(bytes)) this.#socket.pause()
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
