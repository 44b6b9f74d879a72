import { constants } from 'node:crypto'
import { connect, type LookupFunction, type Socket } from 'node:net'
import { DEFAULT_CIPHERS } from 'node:tls'
import { LRUCache } from 'lru-cache'
import { GuardedStream, type HandshakeLimit } from './guarded-stream.ts'
import { networkOfAddress } from './network-of-address.ts'

/** An ordinary chain of certificates is verified in 2 to 5 ms. */
const SLOW_MS = 30
/** The last step of a handshake may take longer, because it also starts the request. */
const SLOW_WITH_REQUEST_MS = 100
/**
 * How many milliseconds a host is refused for each millisecond that its handshake took. So its handshakes take at most
 * 1 % of a process's time.
 */
const REFUSED_MS_PER_MS = 100

/**
 * The hosts, and their networks, whose handshakes took long. 16 KB of certificates can still take 180 ms, and each
 * connection would verify them again. No known authority issues such certificates.
 */
const slowHosts = new LRUCache<string, true>({ max: 1_000 })

/**
 * TLS 1.3 has none of these. With DHE the host chooses a modulus, and 10,000 bits take 0.9 s. Keys that are encrypted
 * by RSA have no forward secrecy. In a renegotiation a host can send other certificates, without a limit of their
 * bytes.
 */
const TLS_LIMITS = {
  ciphers: `${DEFAULT_CIPHERS}:!kDHE:!kRSA`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
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
 * Returns a connector for a client (undici) of hosts that stores configured. It limits what a host may send by TLS
 * beside its data. OpenSSL verifies the whole chain of certificates in one turn of the event loop, also one that ends
 * at no known root: 95 certificates of slow curves in 48 KB would block it for half a second.
 */
export function connectToHost<O extends HostOptions>(
  buildConnector: (options: Options & typeof TLS_LIMITS) => Connect<O>,
  { lookup, timeout }: Options,
): Connect<O> {
  const establish = buildConnector({ lookup, timeout, ...TLS_LIMITS })
  return (options, callback) => {
    if (options.protocol !== 'https:') return establish(options, callback)
    const { hostname: host, port } = options
    // Set the options of the socket now, because TLS over a stream cannot set them.
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
      const handshakes = limitHandshakes(host, networkOfAddress(connected.remoteAddress ?? ''))
      handshakes.assertMayContinue()
      const stream = new GuardedStream(connected, handshakes)
      establish({ ...options, httpSocket: stream as unknown as Socket }, (...result) => {
        const [, tlsSocket] = result
        if (tlsSocket) {
          handshakes.acceptCertificates()
          stream.establish(tlsSocket)
        }
        end(...result)
      })
    }
  }
}

/**
 * Returns the limit of a host's handshakes: a handshake that takes long ends the others with the same host or network,
 * which may be under way at the same time, and refuses new ones for a while.
 */
function limitHandshakes(host: string, network: string): HandshakeLimit & { acceptCertificates(): void } {
  const names = [host, network]
  let isSlow = false
  return {
    assertMayContinue() {
      if (names.some((name) => slowHosts.has(name)))
        throw new Error(`${host} sent certificates that take too long to verify`)
    },
    note(ms, isEstablished) {
      if (ms <= (isEstablished ? SLOW_WITH_REQUEST_MS : SLOW_MS)) return
      isSlow = true
      for (const name of names) slowHosts.set(name, true, { ttl: ms * REFUSED_MS_PER_MS })
    },
    /** Valid certificates are not slow: the process did something else, such as collecting garbage. */
    acceptCertificates() {
      if (isSlow) for (const name of names) slowHosts.delete(name)
    },
  }
}
