import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** A client that sends more requests than this before a response is abusive. Browsers and proxies send one. */
const MAX_PIPELINED = 16

interface Connection {
  /** The open connections of its address. Of those without requests, the first has been idle the longest. */
  peers: Set<Socket>
  /** The requests that wait for their responses. */
  unanswered: number
  /** The last request. Null before the first one. */
  request: IncomingMessage | null
}

/**
 * Limits the open connections of a server. A new connection past the limit closes one of the address with the most
 * connections: the one that has been idle the longest, or else the oldest whose request has not arrived completely, or
 * else its oldest. So no address locks others out. Behind a proxy all connections have one address: there, slow
 * requests lock nobody out, and a new connection is refused only while all others wait for their responses.
 */
export class ConnectionLimit {
  readonly #byAddress = new Map<string, Set<Socket>>()
  readonly #connections = new Map<Socket, Connection>()

  constructor(server: Server, most: number) {
    server.on('connection', (socket: Socket) => {
      this.#add(socket)
      if (this.#connections.size <= most) return
      const surplus = this.#findSurplus(socket)
      this.#remove(surplus)
      surplus.destroy()
    })
  }

  /**
   * Counts a request until its end. Returns null, and closes the connection, if too many of its requests wait: a packet
   * of 64 KB holds 2,500 requests, which Node handles before any other connection has its turn.
   */
  begin(request: IncomingMessage): (() => void) | null {
    const { socket } = request
    const connection = this.#connections.get(socket)
    if (!connection || connection.unanswered >= MAX_PIPELINED) {
      socket.destroy()
      return null
    }
    connection.unanswered += 1
    connection.request = request
    return () => {
      connection.unanswered -= 1
      if (connection.peers.delete(socket)) connection.peers.add(socket)
    }
  }

  #add(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const peers = this.#byAddress.get(address) ?? new Set()
    this.#byAddress.set(address, peers.add(socket))
    this.#connections.set(socket, { peers, unanswered: 0, request: null })
    socket.once('close', () => this.#remove(socket))
  }

  #remove(socket: Socket): void {
    this.#connections.get(socket)?.peers.delete(socket)
    this.#connections.delete(socket)
  }

  /** Returns the connection to close. If several addresses have the most, it is one of the newest address. */
  #findSurplus(newest: Socket): Socket {
    const most = this.#findMostOfAddress()
    const find = (matches: (connection: Connection) => boolean) =>
      most.values().find((socket) => {
        const connection = this.#connections.get(socket)
        return socket !== newest && connection !== undefined && matches(connection)
      })
    return find(isIdle) ?? find(isReceiving) ?? (most.has(newest) ? newest : find(() => true)) ?? newest
  }

  /** Returns the connections of the address that has the most. Forgets addresses without connections. */
  #findMostOfAddress(): Set<Socket> {
    let most = new Set<Socket>()
    for (const [address, peers] of this.#byAddress)
      if (peers.size === 0) this.#byAddress.delete(address)
      else if (peers.size >= most.size) most = peers
    return most
  }
}

const isIdle = ({ unanswered }: Connection): boolean => unanswered === 0

/** Whether the last request has not arrived completely. */
const isReceiving = ({ request }: Connection): boolean => request?.complete === false
