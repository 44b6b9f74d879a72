import type { Context } from 'koa'
import { addressesOf } from '#api/platform/auth/request-addresses.ts'
import { config } from '#shared/platform/config/config.ts'
import { assertWithin, countWithin } from '#shared/platform/throttle/count-within.ts'
import { limits } from './limits.ts'

// This many files count as one request. A page shows many images, and they cost less than other requests.
const FILES_PER_REQUEST = 10

/** Counts a request for a file by its network, separately from other requests. Throws 429 `rate_limit.exceeded`. */
export const limitFiles = (ctx: Context): Promise<void> =>
  limitNetwork(ctx, 'files', config().LIMIT_NETWORK * FILES_PER_REQUEST)

/** Counts a request for a page, the API description or an unknown path by its network. Throws 429. */
export const limitPages = (ctx: Context): Promise<void> => limitNetwork(ctx, 'pages', config().LIMIT_NETWORK)

async function limitNetwork(ctx: Context, what: 'files' | 'pages', perMinute: number): Promise<void> {
  if (!perMinute) return
  assertWithin(await countWithin({ subject: `${what} ${addressesOf(ctx.req).network}`, perMinute }))
}

/**
 * Counts the look-up of an origin by the network and the address of a request without a caller. Returns false past a
 * limit.
 */
export async function countOrigin(ctx: Context): Promise<boolean> {
  const { address, network } = addressesOf(ctx.req)
  return (
    (await isWithin(`origins ${network}`, config().LIMIT_NETWORK)) &&
    (await isWithin(`${limits.api.name} origin ${address}`, config().LIMIT_API))
  )
}

const isWithin = async (subject: string, perMinute: number): Promise<boolean> =>
  perMinute === 0 || (await countWithin({ subject, perMinute })).isWithin
