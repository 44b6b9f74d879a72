import { normalizeEmail } from '#shared/identity/email.ts'
import type { Config } from '#shared/platform/config/config.ts'

/** What a limit may tell callers apart by. */
export interface LimitSubject {
  address: string
  /** The publishable key, else the store whose domain was called. */
  store: string
  /** `customer:…`, `staff:…`, `api_token:…`, or a guest. */
  principal: string
  /** The checked body; undefined before it is read. */
  body?: unknown
}

/** A bound on how often an operation is called, within a minute that a caller's first call begins. */
export interface Limit {
  name: string
  /** The variable that says how many; 0 turns it off. */
  variable: keyof Config & `LIMIT_${string}`
  /** For the description: what it counts by. */
  per: string
  /**
   * `early`: counted before the request is read, in slices, so that hot reads pay no round trip. `exact`: counted one
   * by one, once the request is known to be sound, and before anything is done.
   */
  counted: 'early' | 'exact'
  subject(caller: LimitSubject): string
}

const byAddress = ({ address }: LimitSubject) => address

/** The limits of the service (decisions, section 3). Operations without one of their own have that of their access. */
export const limits = {
  api: {
    name: 'api',
    variable: 'LIMIT_API',
    per: 'publishable key and IP address',
    counted: 'early',
    subject: ({ store, address }) => `${store} ${address}`,
  },
  admin: {
    name: 'admin',
    variable: 'LIMIT_ADMIN',
    per: 'account or API token',
    counted: 'early',
    subject: ({ principal }) => principal,
  },
  login: {
    name: 'login',
    variable: 'LIMIT_LOGIN',
    per: 'IP address and e-mail',
    counted: 'exact',
    subject: ({ address, body }) => `${address} ${normalizeEmail((body as { email: string }).email)}`,
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
    name: 'codes',
    variable: 'LIMIT_CODES',
    per: 'account, else IP address',
    counted: 'exact',
    subject: ({ principal, address }) =>
      /^(customer|staff|super_admin):/.test(principal) ? principal : address,
  },
  vouchers: {
    name: 'vouchers',
    variable: 'LIMIT_VOUCHERS',
    per: 'IP address',
    counted: 'exact',
    subject: byAddress,
  },
} as const satisfies Record<string, Limit>
