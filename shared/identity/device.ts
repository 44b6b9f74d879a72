import ipaddr from 'ipaddr.js'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { inScope } from '#shared/platform/db/store-scope.ts'
import { type Account, IDENTITY_TABLES, type IdentityTx, rowsOf, tablesIn } from './principal.ts'

/** The device of a session, as its owner sees it in the list of sessions. */
export interface Device {
  ip: string | null
  userAgent: string | null
}

/** No device, for readers to whom the device of another person is not shown. */
export const NO_DEVICE: Device = { ip: null, userAgent: null }

/** The devices of this many last sessions are known to the account. */
const LAST_SESSIONS = 20

/** Returns the devices of the account's last sessions; none if the account does not exist. */
export const lastDevices = (storeId: string | null, account: Account): Promise<Device[]> =>
  inScope(storeId, (tx) =>
    tx
      .knex(tablesIn(tx).sessions)
      .where(rowsOf(tx, account))
      .orderBy('id', 'desc')
      .limit(LAST_SESSIONS)
      .select('ip', { userAgent: 'user_agent' }),
  )

interface SignInContext {
  has_two_factor: boolean
  last_devices: Device[]
}

const contextStatement = (scope: 'store' | 'platform', owned: string) => {
  const tables = IDENTITY_TABLES[scope]
  return {
    name: `sign_in_context_${scope}`,
    text: `
      select exists (select from ${tables.twoFactor} where ${owned} and enabled_at is not null) as has_two_factor, (
        select coalesce(json_agg(json_build_object('ip', ip, 'userAgent', user_agent)), '[]') from (
          select ip, user_agent from ${tables.sessions} where ${owned} order by id desc limit ${LAST_SESSIONS}
        ) last
      ) as last_devices`,
  }
}

const SIGN_IN_CONTEXT = {
  store: contextStatement(
    'store',
    `store_id = ${CURRENT_STORE} and account_type = $2 and account_id = $1::uuid`,
  ),
  platform: contextStatement('platform', 'account_id = $1::uuid'),
}

/** Whether the account has two-factor sign-in, and the devices of its last sessions, in one statement. */
export async function readSignInContext(tx: IdentityTx, { type, id }: Account): Promise<SignInContext> {
  const [context] = tx.storeId
    ? await tx.prepared<SignInContext>(SIGN_IN_CONTEXT.store, [id, type])
    : await tx.prepared<SignInContext>(SIGN_IN_CONTEXT.platform, [id])
  if (!context) throw new Error('A select without a table gave no row')
  return context
}

/** Whether none of an account's last sessions came from the device. An account's very first device is not new. */
export const isNewDevice = (device: Device, last: readonly Device[]): boolean =>
  last.length > 0 && !isKnownDevice(device, last)

/** Whether one of an account's last sessions came from the device. */
export const isKnownDevice = (device: Device, last: readonly Device[]): boolean =>
  last.some((known) => fingerprintOf(known) === fingerprintOf(device))

/**
 * Returns the lasting part of a device: its network, and its program without the version. Updates change the version.
 */
export const fingerprintOf = ({ ip, userAgent }: Device): string =>
  `${networkOf(ip)} ${(userAgent ?? '').replace(/[\d.]+/g, '')}`

const IPV4_BITS = 24
const IPV6_BITS = 48

function networkOf(ip: string | null): string {
  if (!ip || !ipaddr.isValid(ip)) return ''
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${IPV4_BITS}`).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${IPV6_BITS}`).toString()
}
