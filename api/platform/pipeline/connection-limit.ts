import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** No browser and no proxy sends a request before the response to the one before, and few other clients do. */
const MAX_PIPELINED = 16

interface Connection {
  /** The open connections of its address. Of those without requests, the first has been idle the longest. */
  peers: Set<Socket>
  /** The requests that wait for their responses. */
  unanswered: number
  /** The last request. Null before the first one. */
  request: IncomingMessage | null
}

/** The open connections of a server. */
export interface Connections {
  /**
   * Counts a request until its end. Returns null, and closes the connection, if too many of its requests wait: a packet
   * of 64 KB holds 2,500 requests, which Node handles before any other connection has its turn.
   */
  begin(request: IncomingMessage): (() => void) | null
}

/**
 * Limits the open connections of a server. A new connection past the limit closes one of the address with the most
 * connections: the one that has been idle the longest, or else the oldest whose request has not arrived completely, or
 * else its oldest. So no address locks others out. Behind a proxy all connections have one address: there, slow
 * requests lock nobody out, and a new connection is refused only while all others wait for their responses.
 */
export function limitConnections(server: Server, most: number): Connections {
  const byAddress = new Map<string, Set<Socket>>()
  const connections = new Map<Socket, Connection>()

  function add(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const peers = byAddress.get(address) ?? new Set()
    byAddress.set(address, peers.add(socket))
    connections.set(socket, { peers, unanswered: 0, request: null })
  }

  function remove(socket: Socket): void {
    connections.get(socket)?.peers.delete(socket)
    connections.delete(socket)
  }

  /** Returns the connection to close. If several addresses have the most, it is one of the newest address. */
  function findSurplus(newest: Socket): Socket {
    let most = new Set<Socket>()
    for (const [address, peers] of byAddress)
      if (peers.size === 0) byAddress.delete(address)
      else if (peers.size >= most.size) most = peers
    const find = (matches: (connection: Connection) => boolean) =>
      most.values().find((socket) => {
        const connection = connections.get(socket)
        return socket !== newest && connection !== undefined && matches(connection)
      })
    return find(isIdle) ?? find(isReceiving) ?? (most.has(newest) ? newest : find(() => true)) ?? newest
  }

  server.on('connection', (socket: Socket) => {
    add(socket)
    socket.once('close', () => remove(socket))
    if (connections.size <= most) return
    const surplus = findSurplus(socket)
    remove(surplus)
    surplus.destroy()
  })

  return {
    begin(request) {
      const { socket } = request
      const connection = connections.get(socket)
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
    },
  }
}

const isIdle = ({ unanswered }: Connection): boolean => unanswered === 0

/** Whether the last request has not arrived completely. */
const isReceiving = ({ request }: Connection): boolean => request?.complete === false
