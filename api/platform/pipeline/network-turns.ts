import type { ServerResponse } from 'node:http'
import type { Context, Next } from 'koa'
import { networkOf } from '#api/platform/rate-limits/rate-limit.ts'
import { CLIENT_GONE_STATUS } from './abandoned-reads.ts'

/**
 * The requests of a network that begin in one turn of the event loop. A refused request is answered in the turn in
 * which it begins, in some 0.3 ms.
 */
const PER_TURN = 8

interface Network {
  /** How many requests have begun in this turn. */
  begun: number
  /** Begins the requests that wait, first come, first served. */
  waiting: Set<() => void>
}

const networks = new Map<string, Network>()

/**
 * Middleware: begins only a few requests of a network in each turn of the event loop. Otherwise each step of another
 * network's request would wait for all requests that a client sends at a time, even if all of them are refused.
 */
export async function takeTurnOfNetwork(ctx: Context, next: Next): Promise<void> {
  if (await beginInTurn(networkOf(ctx), ctx.res)) await next()
  else ctx.status = CLIENT_GONE_STATUS
}

/** Begins a request in the turn of its network. Returns false if its connection closes first. */
async function beginInTurn(network: string, response: ServerResponse): Promise<boolean> {
  const own = networks.get(network) ?? addNetwork(network)
  if (own.begun === PER_TURN) return waitForTurn(own, response)
  own.begun += 1
  return true
}

function addNetwork(network: string): Network {
  const added: Network = { begun: 0, waiting: new Set() }
  networks.set(network, added)
  setImmediate(beginTurn, network, added)
  return added
}

function beginTurn(network: string, own: Network): void {
  own.begun = 0
  for (const begin of own.waiting) {
    if (own.begun === PER_TURN) break
    own.waiting.delete(begin)
    own.begun += 1
    begin()
  }
  if (own.begun === 0) networks.delete(network)
  else setImmediate(beginTurn, network, own)
}

function waitForTurn({ waiting }: Network, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const begin = () => {
      response.off('close', leave)
      resolve(true)
    }
    const leave = () => {
      waiting.delete(begin)
      resolve(false)
    }
    response.once('close', leave)
    waiting.add(begin)
  })
}
