import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { plainAddress } from '#api/platform/auth/client-address.ts'
import { networkOfAddress } from '#shared/platform/net/network-of-address.ts'
import { countClosed } from './metrics.ts'
import { stopParsingWhenClosed } from './stop-parsing.ts'

/** A client that sends more requests than this before a response is abusive. Browsers and proxies send one. */
const MAX_PIPELINED = 4

interface Connection {
  network: string
  /** The open connections of its network. Of the idle ones, the first has been idle the longest. */
  peers: Set<Socket>
  /** The requests that wait for their responses. */
  unanswered: number
  /** The last request. Null before the first one. */
  request: IncomingMessage | null
}

/**
 * Limits the open connections of a server. A new connection past the limit closes one connection of the network with
 * the most: the one that has been idle the longest, else the oldest whose request has not arrived completely, else the
 * oldest. If several networks have the most, the one without a request for the longest time loses a connection.
 *
 * So no network can lock others out, however many IPv6 addresses it has, and neither can many networks with one silent
 * connection each. Behind a proxy all connections have one address. There, slow requests lock nobody out: a new
 * connection is refused only while all others wait for their responses.
 */
export class ConnectionLimit {
  /** The connections by network. The first network has had no request for the longest time. */
  readonly #byNetwork = new Map<string, Set<Socket>>()
  readonly #connections = new Map<Socket, Connection>()

  constructor(server: Server, most: number) {
    server.on('connection', (socket: Socket) => {
      stopParsingWhenClosed(socket)
      this.#add(socket)
      if (this.#connections.size <= most) return
      const surplus = this.#findSurplus(socket)
      this.#remove(surplus)
      surplus.destroy()
      countClosed('all')
    })
  }

  /**
   * Counts a request until its end. Returns null, and closes the connection, if too many of its requests wait for their
   * responses.
   */
  begin(request: IncomingMessage): (() => void) | null {
    const { socket } = request
    const connection = this.#connections.get(socket)
    if (!connection || connection.unanswered >= MAX_PIPELINED) {
      socket.destroy()
      countClosed('pipelined')
      return null
    }
    connection.unanswered += 1
    connection.request = request
    return () => {
      connection.unanswered -= 1
      const { network, peers } = connection
      if (!peers.delete(socket)) return
      peers.add(socket)
      this.#byNetwork.delete(network)
      this.#byNetwork.set(network, peers)
    }
  }

  #add(socket: Socket): void {
    const network = networkOfAddress(plainAddress(socket.remoteAddress ?? ''))
    const peers = this.#byNetwork.get(network) ?? new Set()
    this.#byNetwork.set(network, peers.add(socket))
    this.#connections.set(socket, { network, peers, unanswered: 0, request: null })
    socket.once('close', () => this.#remove(socket))
  }

  #remove(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (!connection) return
    this.#connections.delete(socket)
    connection.peers.delete(socket)
    // Otherwise each network that was ever connected would keep its memory.
    if (connection.peers.size === 0) this.#byNetwork.delete(connection.network)
  }

  /** Returns the connection to close: the newest one if its network is the largest and all others await responses. */
  #findSurplus(newest: Socket): Socket {
    const most = Math.max(...this.#byNetwork.values().map(({ size }) => size))
    const find = (matches: (connection: Connection) => boolean) =>
      this.#socketsOfNetworksWith(most).find((socket) => {
        const connection = this.#connections.get(socket)
        return socket !== newest && connection !== undefined && matches(connection)
      })
    const unserved = find(isIdle) ?? find(isReceiving)
    if (unserved) return unserved
    const isOfLargest = this.#connections.get(newest)?.peers.size === most
    return isOfLargest ? newest : (find(() => true) ?? newest)
  }

  /** Returns the connections of the networks with this number of them, in the sequence in which they close. */
  #socketsOfNetworksWith(count: number): IteratorObject<Socket> {
    return this.#byNetwork
      .values()
      .filter(({ size }) => size === count)
      .flatMap((sockets) => sockets.values())
  }
}

const isIdle = ({ unanswered }: Connection): boolean => unanswered === 0

/** Whether the last request has not arrived completely. */
const isReceiving = ({ request }: Connection): boolean => request?.complete === false
