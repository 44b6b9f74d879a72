import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/**
 * The most bytes before a TLS connection is established. Long chains of certificates with many names have 8 KB, and a
 * server that asks for certificates names its authorities.
 */
const MAX_HANDSHAKE_BYTES = 16 * 1024

/**
 * The most bytes after the handshake that are not data. TLS holds up to 16 KB of an incomplete record, and a server
 * sends some session tickets. Each ticket and each new key takes 5 to 20 µs for 20 bytes.
 */
const MAX_OVERHEAD_BYTES = 24 * 1024

/** The most encrypted bytes for each decrypted byte of data, beside the overhead. */
const BYTES_PER_DATA_BYTE = 2

/** The bytes that TLS reads at once. They are counted before each piece. */
const PIECE_BYTES = 4 * 1024

/** What the handshakes with a host may take. */
export interface HandshakeLimit {
  /** Throws if the host may not continue its handshake. */
  assertMayContinue(): void
  /** Notes the processor time that TLS took to read a piece, in milliseconds, and whether that ended the handshake. */
  note(ms: number, isEstablished: boolean): void
}

/**
 * The encrypted bytes of a socket, for TLS. OpenSSL reads all arrived bytes in one turn of the event loop. So the
 * stream ends with an error if the host sends too much before the connection is established, or later too much that is
 * not data.
 */
export class GuardedStream extends Duplex {
  readonly #socket: Socket
  readonly #handshakes: HandshakeLimit
  #received = 0
  /** The TLS socket over this stream, whose `bytesRead` are decrypted. Undefined before it is established. */
  #data: { readonly bytesRead: number } | undefined

  constructor(socket: Socket, handshakes: HandshakeLimit) {
    super()
    this.#socket = socket
    this.#handshakes = handshakes
    socket.on('data', (bytes) => this.#receive(bytes))
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    // Do not destroy the stream after an orderly end: TLS still reads the bytes that arrived before it.
    socket.on('close', () => !socket.readableEnded && this.destroy())
  }

  /** Marks that the handshake has ended with this TLS socket. */
  establish(data: { readonly bytesRead: number }): void {
    this.#data = data
    this.#received = 0
  }

  #receive(bytes: Buffer): void {
    for (let start = 0; start < bytes.length && !this.destroyed; start += PIECE_BYTES) {
      const piece = bytes.subarray(start, start + PIECE_BYTES)
      this.#received += piece.length
      const hasRoom = this.#data ? this.#passData(piece) : this.#passHandshake(piece)
      if (!hasRoom) this.#socket.pause()
    }
  }

  /** TLS reads the bytes within `push`. */
  #passHandshake(bytes: Buffer): boolean {
    try {
      if (this.#received > MAX_HANDSHAKE_BYTES)
        throw new Error('the host sends too much before the connection is established')
      this.#handshakes.assertMayContinue()
    } catch (error) {
      this.destroy(error as Error)
      return false
    }
    const startedAt = process.threadCpuUsage()
    const hasRoom = this.push(bytes)
    const { user, system } = process.threadCpuUsage(startedAt)
    this.#handshakes.note((user + system) / 1_000, this.#data !== undefined)
    return hasRoom
  }

  #passData(bytes: Buffer): boolean {
    return !this.#endIfOverhead() && this.push(bytes)
  }

  #endIfOverhead(): boolean {
    if (!this.#data) return false
    const read = this.#received - this.readableLength
    if (read - this.#data.bytesRead * BYTES_PER_DATA_BYTE <= MAX_OVERHEAD_BYTES) return false
    this.destroy(new Error('the host sends too much that is not data'))
    return true
  }

  override _read(): void {
    if (!this.#endIfOverhead()) this.#socket.resume()
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done)
  }

  override _final(done: () => void): void {
    // Ignore an error: the host may have ended the connection first.
    this.#socket.end(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}
