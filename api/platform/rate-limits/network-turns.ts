import type { ServerResponse } from 'node:http'
import { CommonErrors } from '#shared/platform/errors.ts'

/**
 * The requests of a network whose callers are looked up and counted at a time. It takes them some milliseconds, so this
 * many are more than one process can serve.
 */
const MAX_AT_ONCE = 32

interface Network {
  running: number
  /** Starts the next ones, first come, first served. */
  waiting: Set<() => void>
}

const networks = new Map<string, Network>()

/**
 * Runs the first steps of a request, until it is counted, in the turn of its network. Without turns, a client with a
 * thousand open requests has each step of another client's request wait for a step of each of them, even if all of them
 * are refused. Throws 429 `rate_limit.exceeded`, for nobody, if the connection closes before the turn.
 */
export async function inTurnOfNetwork<T>(
  network: string,
  response: ServerResponse,
  steps: () => Promise<T>,
): Promise<T> {
  const own = networks.get(network) ?? { running: 0, waiting: new Set() }
  networks.set(network, own)
  if (own.running < MAX_AT_ONCE) own.running += 1
  else await waitIn(own, response)
  try {
    return await steps()
  } finally {
    passOn(network, own)
  }
}

function waitIn({ waiting }: Network, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      response.off('close', leave)
      resolve()
    }
    const leave = () => {
      if (waiting.delete(start)) reject(CommonErrors.rateLimitExceeded({ retryAfter: 1 }))
    }
    response.once('close', leave)
    waiting.add(start)
  })
}

function passOn(network: string, own: Network): void {
  const [next] = own.waiting
  if (next) {
    own.waiting.delete(next)
    // In the next turn of the event loop: a refused request takes less than a turn, and they would all share this one.
    setImmediate(next)
  } else {
    own.running -= 1
    if (own.running === 0) networks.delete(network)
  }
}

/** Returns the number of networks with such requests. */
export const countBusyNetworks = (): number => networks.size
