import { normalizeEmail } from '#shared/identity/email.ts'
import { CODES_LIMIT } from '#shared/identity/throttling/limit-second-factor-attempts.ts'
import type { Config } from '#shared/platform/config/config.ts'

/** The caller of a request, as limits count it. */
export interface LimitedCaller {
  /** An IPv4 address or an IPv6 /64, counted for single callers. */
  address: string
  /** An IPv4 address or an IPv6 /48, counted over all keys and stores. */
  network: string
  /** The publishable key, or else the id of the store whose domain was called. */
  keyOrStore: string
  /** The id of the store; empty without one. */
  storeId: string
  /** `customer:…`, `staff:…`, `api_token:…`, or a guest. */
  principal: string
  /** The checked body; undefined for early limits. */
  body?: unknown
}

/** A limit of calls per minute for each subject. The minute starts with the subject's first call. */
export interface Limit {
  name: string
  /** The environment variable with the number of calls. 0 turns the limit off. */
  variable: keyof Config & `LIMIT_${string}`
  /** The limit is this multiple of the variable. Default: 1. */
  factor?: number
  /** The counted subject, for the API description. */
  per: string
  /**
   * `first`: counted before the caller is looked up, so that refused requests cost no look-up. `early`: counted before
   * the body is read. Both are counted in slices, so that hot reads need no round trip. `exact`: counted one by one
   * after the input is checked and before the handler runs.
   */
  counted: 'first' | 'early' | 'exact'
  /** Returns the subject that the request counts for; null if it does not count. */
  subject(caller: LimitedCaller): string | null
}

const byAddress = ({ address }: LimitedCaller) => address

const NETWORK_FACTOR = 10

/**
 * Returns the limit of an IPv6 /48 network for the limit of one address. Anyone can rent such a network, which has
 * 65,536 addresses. An IPv4 address has only its own limit.
 */
const inNetwork = (limit: Limit): Limit => ({
  ...limit,
  name: `${limit.name}-network`,
  factor: NETWORK_FACTOR,
  per: 'IPv6 /48 network',
  subject: ({ address, network }) => (network === address ? null : network),
})

/** The limits of the service. An operation without its own has the limit of its audience. */
export const limits = {
  network: {
    name: 'network',
    variable: 'LIMIT_NETWORK',
    per: 'network over all keys and stores',
    counted: 'first',
    subject: ({ network }) => network,
  },
  api: {
    name: 'api',
    variable: 'LIMIT_API',
    per: 'publishable key and IP address',
    counted: 'early',
    subject: ({ keyOrStore, address }) => `${keyOrStore} ${address}`,
  },
  admin: {
    name: 'admin',
    variable: 'LIMIT_ADMIN',
    per: 'account or API token',
    counted: 'early',
    subject: ({ principal }) => principal,
  },
  store: {
    name: 'store',
    variable: 'LIMIT_STORE',
    per: 'store over all accounts and API tokens of its staff',
    counted: 'early',
    subject: ({ storeId, principal }) => storeId || principal,
  },
  login: {
    name: 'login',
    variable: 'LIMIT_LOGIN',
    per: 'IP address and e-mail',
    counted: 'exact',
    subject: ({ address, body }) => `${address} ${normalizeEmail((body as { email: string }).email)}`,
  },
  signIns: {
    name: 'sign-ins',
    variable: 'LIMIT_SIGN_INS',
    per: 'network over all e-mails, keys and stores',
    counted: 'exact',
    subject: ({ network }) => network,
  },
  register: {
    name: 'register',
    variable: 'LIMIT_REGISTER',
    per: 'IP address',
    counted: 'exact',
    subject: byAddress,
  },
  forgot: {
    name: 'forgot',
    variable: 'LIMIT_FORGOT',
    per: 'IP address',
    counted: 'exact',
    subject: byAddress,
  },
  questions: {
    name: 'questions',
    variable: 'LIMIT_QUESTIONS',
    per: 'IP address',
    counted: 'exact',
    subject: byAddress,
  },
  codes: {
    name: CODES_LIMIT,
    variable: 'LIMIT_CODES',
    per: 'account, else IP address',
    counted: 'exact',
    subject: ({ principal, address }) =>
      /^(customer|staff|super_admin):/.test(principal) ? principal : address,
  },
  // A buyer needs no account, so that somebody with many accounts has one network.
  orderLookUps: {
    name: 'look-ups',
    variable: 'LIMIT_CODES',
    per: 'network',
    counted: 'exact',
    subject: ({ network }) => network,
  },
  vouchers: {
    name: 'vouchers',
    variable: 'LIMIT_VOUCHERS',
    per: 'network',
    counted: 'exact',
    subject: ({ network }) => network,
  },
  // A checkout reveals whether a code exists, so it counts together with the look-ups of balances.
  spentVouchers: {
    name: 'vouchers',
    variable: 'LIMIT_VOUCHERS',
    per: 'network, with a `voucher_code`',
    counted: 'exact',
    subject: ({ network, body }) =>
      (body as { voucher_code?: string }).voucher_code === undefined ? null : network,
  },
} as const satisfies Record<string, Limit>

/** The limits that are counted before another one, because a caller with many keys or e-mails has one network. */
const BEFORE: Partial<Record<string, Limit>> = { api: limits.network, login: limits.signIns }

/**
 * The limits that are counted after another one, so that refused requests take no share from others of the store or
 * network.
 */
const AFTER: Partial<Record<string, Limit>> = {
  admin: limits.store,
  register: inNetwork(limits.register),
  forgot: inNetwork(limits.forgot),
  questions: inNetwork(limits.questions),
}

/** Returns the number of calls per minute that a limit allows; 0: any. */
export const perMinuteOf = ({ variable, factor = 1 }: Limit, of: Pick<Config, Limit['variable']>): number =>
  of[variable] * factor

/**
 * Returns the limits of an operation in the sequence of counting, each with the limit that all requests of its kind
 * share.
 */
export const withSharedLimits = (declared: readonly Limit[]): Limit[] =>
  declared.flatMap((limit) => [BEFORE[limit.name] ?? [], limit, AFTER[limit.name] ?? []].flat())

/** The limits of an operation by when they are counted. */
export type CountedLimits = Readonly<Record<Limit['counted'], readonly Limit[]>>

/** Returns the limits of an operation, divided once for all of its requests. */
export function countedLimits(declared: readonly Limit[]): CountedLimits {
  const all = withSharedLimits(declared)
  const countedAs = (kind: Limit['counted']) => all.filter(({ counted }) => counted === kind)
  return { first: countedAs('first'), early: countedAs('early'), exact: countedAs('exact') }
}
