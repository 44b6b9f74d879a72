import type { Socket } from 'node:net'

/** The requests of a network that begin in one turn of the event loop. To begin and refuse one takes some 0.3 ms. */
const PER_TURN = 8

/**
 * The most requests of a network that wait to begin. It is as many as a process has connections by default. Each keeps
 * up to 30 KB of headers in memory.
 */
const MAX_WAITING = 2_000

/** A request that has not begun. */
interface NewRequest {
  socket: Socket
  begin: () => void
  /** Answers it without beginning it. */
  refuse: () => void
}

interface Network {
  /** How many requests have begun in this turn. */
  begun: number
  /** First come, first served. */
  waiting: NewRequest[]
}

const networks = new Map<string, Network>()

/**
 * Begins only a few requests of a network in each turn of the event loop. Otherwise each step of another network's
 * request would wait for all requests that a client sends at a time, even if all of them are refused by a limit. If too
 * many requests of the network wait, this one is refused. A request whose connection closes first never begins.
 */
export function paceNetwork(network: string, request: NewRequest): void {
  const own = networks.get(network) ?? addNetwork(network)
  if (own.begun < PER_TURN) {
    own.begun += 1
    request.begin()
  } else if (own.waiting.length < MAX_WAITING) own.waiting.push(request)
  else request.refuse()
}

function addNetwork(network: string): Network {
  const added: Network = { begun: 0, waiting: [] }
  networks.set(network, added)
  setImmediate(beginTurn, network, added)
  return added
}

function beginTurn(network: string, own: Network): void {
  own.begun = 0
  while (own.begun < PER_TURN) {
    const next = own.waiting.shift()
    if (!next) break
    if (!next.socket.writable) continue
    own.begun += 1
    next.begin()
  }
  if (own.begun === 0) networks.delete(network)
  else setImmediate(beginTurn, network, own)
}
