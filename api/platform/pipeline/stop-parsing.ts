import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The parser of a connection, an internal of Node's HTTP server. test/api/platform/pipeline/stop-parsing.test.ts fails
 * if an upgrade of Node moves it.
 */
interface NodeParser {
  /** The number of the property with the function that gets each chunk of a body. Without one, chunks are dropped. */
  constructor: { kOnBody: number }
  [callback: number]: unknown
  /** Is called for each request. With 2, as for an upgraded connection, it leaves the other received bytes. */
  onIncoming?: (request: IncomingMessage, keepsAlive: boolean) => number
}

const LEAVE_THE_REST = 2

/**
 * Stops the parser of a connection that is ended or destroyed. Otherwise Node parses all the bytes that it has
 * received: 64 KB hold 2,400 requests, and take 40 ms in which no other connection has its turn.
 */
export function stopParsingWhenClosed(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: NodeParser }
  const parse = parser?.onIncoming
  if (!parser || !parse) return
  parser.onIncoming = (request, keepsAlive) => {
    if (socket.writable) return parse(request, keepsAlive)
    // Otherwise Node would hand the parser of a CONNECT over at once.
    Object.assign(request, { upgrade: false })
    return LEAVE_THE_REST
  }
}

/** Makes the parser of a connection drop the chunks of a body. The caller closes the connection. */
export function ignoreBody(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: NodeParser }
  if (!parser) return
  const { kOnBody } = parser.constructor
  const onBody = parser[kOnBody]
  parser[kOnBody] = null
  // Node uses the parser again for another connection.
  socket.once('close', () => {
    parser[kOnBody] = onBody
  })
}
